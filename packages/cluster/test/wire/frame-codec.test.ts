import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  encodeFrame,
  FrameDecoder,
  type FrameKind,
  HEAD_BYTES,
  parseBody,
} from '../../src/wire/frame-codec.ts';

const kinds = fc.constantFrom<FrameKind>('hello', 'ready', 'heartbeat', 'data', 'refusal');
const bodies = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })).filter((body) => !hasProto(body));

function hasProto(value: unknown): boolean {
  return JSON.stringify(value).includes('__proto__');
}

/** Cuts at these places, in any order and number. */
function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, i) => bytes.subarray(from, places[i] ?? bytes.length));
}

describe('a decoder', () => {
  it('returns the frames that were encoded, however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(kinds, bodies)), fc.array(fc.nat()), (frames, cuts) => {
        const stream = Buffer.concat(frames.map(([kind, body]) => encodeFrame(kind, JSON.stringify(body))));
        const decoder = new FrameDecoder(65_536);
        const seen: unknown[] = [];
        for (const piece of pieces(stream, cuts)) {
          decoder.push(piece);
          for (let raw = decoder.next(); raw !== null; raw = decoder.next()) {
            seen.push([raw.kind, parseBody(raw.bytes.subarray(HEAD_BYTES))]);
          }
        }
        expect(JSON.stringify(seen)).toBe(JSON.stringify(frames));
        expect(decoder.heldBytes).toBe(0);
      }),
    );
  });

  it.each([
    ['a length of 0', [0, 0, 0, 0]],
    ['a length of 1', [0, 0, 0, 1]],
    ['a length of 65,537', [0, 1, 0, 1]],
    ['a length of 2^32 − 1', [255, 255, 255, 255]],
    ['another version', [0, 0, 0, 2, 2, 1]],
    ['an unknown kind', [0, 0, 0, 2, 1, 9]],
    ['the kind 0', [0, 0, 0, 2, 1, 0]],
  ])('refuses %s as soon as it can be seen', (_, bytes) => {
    const decoder = new FrameDecoder(65_536);
    for (const byte of bytes.slice(0, -1)) {
      decoder.push(Buffer.from([byte]));
      expect(decoder.next()).toBeNull();
    }
    decoder.push(Buffer.from(bytes.slice(-1)));
    expect(() => decoder.next()).toThrow(/must be|has the number/);
  });

  it('says that the peer speaks TLS', () => {
    const decoder = new FrameDecoder(2_048);
    decoder.push(Buffer.from([0x16, 3, 1, 0]));
    expect(() => decoder.next()).toThrow(
      'the peer speaks TLS, and this member does not; give all members the same security',
    );
  });
});
