/** A source text as a parameter of a link: deflated, in base64url. */

/** Longer parameters do not fit into the links that mail and chat programs keep whole. */
export const MAX_LINK_CHARACTERS = 8192;
/** What a link may inflate to. */
const MAX_TEXT_BYTES = 200_000;

/** Null if the text is too long for a link. */
export async function encodeCode(text: string): Promise<string | null> {
  const deflated = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  if (deflated.length * (4 / 3) > MAX_LINK_CHARACTERS) return null;
  return btoa(String.fromCharCode(...deflated))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** Null if the parameter is no source text. */
export async function decodeCode(code: string): Promise<string | null> {
  try {
    const binary = atob(code.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const inflated = await through(bytes, new DecompressionStream('deflate-raw'));
    return new TextDecoder('utf-8', { fatal: true }).decode(inflated);
  } catch {
    return null;
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  pipe: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const writer = pipe.writable.getWriter();
  const written = Promise.all([writer.write(bytes), writer.close()]);
  // A refusal is reported by the reader.
  written.catch(() => {});
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = (pipe.readable as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MAX_TEXT_BYTES) throw new RangeError('the text is too long');
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
