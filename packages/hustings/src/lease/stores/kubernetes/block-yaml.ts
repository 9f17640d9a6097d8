/**
 * The YAML that kubectl writes into kubeconfig files: mappings and lists by indentation, plain and quoted scalars, literal
 * blocks, and JSON, which is YAML too. All scalars are text. Anchors, tags and other YAML are refused with the line.
 */
type Yaml = string | null | readonly Yaml[] | { readonly [key: string]: Yaml };

interface Line {
  readonly number: number;
  readonly indent: number;
  readonly text: string;
}

/** Throws a `SyntaxError` for text that is not of this form. */
export function parseBlockYaml(text: string): unknown {
  if (/^\s*[{[]/.test(text)) return JSON.parse(text);
  return new Parser(text).document();
}

class Parser {
  readonly #raw: readonly string[];
  readonly #lines: Line[];

  constructor(text: string) {
    this.#raw = text.replace(/^\uFEFF/, '').split(/\r?\n/);
    this.#lines = this.#raw.flatMap((raw, index) => {
      const content = raw.trimStart();
      if (content === '' || content.startsWith('#') || /^(---|%)/.test(raw)) return [];
      return [{ number: index + 1, indent: raw.length - content.length, text: content.trimEnd() }];
    });
  }

  document(): Yaml {
    if (this.#lines.length === 0) return null;
    const value = this.#block(this.#lines[0].indent);
    if (this.#lines.length > 0) throw this.#refuse(this.#lines[0], 'is indented in another way');
    return value;
  }

  #block(indent: number): Yaml {
    return isItem(this.#lines[0]) ? this.#list(indent) : this.#mapping(indent);
  }

  #list(indent: number): Yaml {
    const items: Yaml[] = [];
    for (let line = this.#lines[0]; line?.indent === indent && isItem(line); line = this.#lines[0]) {
      const rest = line.text.slice(1).trimStart();
      const at = indent + line.text.length - rest.length;
      if (rest === '') {
        this.#lines.shift();
        items.push(this.#nested(indent + 1));
      } else if (keyOf(rest) === null) {
        this.#lines.shift();
        items.push(this.#scalar(rest, line));
      } else {
        this.#lines[0] = { ...line, indent: at, text: rest };
        items.push(this.#mapping(at));
      }
    }
    return items;
  }

  #mapping(indent: number): Yaml {
    const entries: [string, Yaml][] = [];
    for (let line = this.#lines[0]; line?.indent === indent && !isItem(line); line = this.#lines[0]) {
      const found = keyOf(line.text);
      if (found === null) throw this.#refuse(line, 'has no "key: value"');
      this.#lines.shift();
      const [key, rest] = found;
      if (/^[|>][-+]?$/.test(rest)) entries.push([key, this.#literal(rest, line)]);
      // A list may stand at the indentation of its key.
      else if (rest === '') entries.push([key, this.#nested(isItem(this.#lines[0]) ? indent : indent + 1)]);
      else entries.push([key, this.#scalar(rest, line)]);
    }
    return Object.fromEntries(entries);
  }

  #nested(minIndent: number): Yaml {
    const next = this.#lines[0];
    return next === undefined || next.indent < minIndent ? null : this.#block(next.indent);
  }

  #literal(style: string, { indent, number }: Line): string {
    const raw: string[] = [];
    for (let index = number; index < this.#raw.length; index++) {
      const line = this.#raw[index];
      if (line.trim() !== '' && line.length - line.trimStart().length <= indent) break;
      raw.push(line);
    }
    while (this.#lines[0]?.number <= number + raw.length) this.#lines.shift();
    const margin = /^ */.exec(raw.find((line) => line.trim() !== '') ?? '')?.[0].length ?? 0;
    const lines = raw.map((line) => line.slice(margin));
    while (lines.at(-1) === '') lines.pop();
    return lines.join(style.startsWith('|') ? '\n' : ' ') + (style.endsWith('-') ? '' : '\n');
  }

  #scalar(text: string, line: Line): Yaml {
    if (text.startsWith('"') || /^[{[]/.test(text)) {
      try {
        return JSON.parse(text.replace(/\s+#.*$/, ''));
      } catch {
        throw this.#refuse(line, 'has a value that is neither plain nor JSON');
      }
    }
    const quoted = /^'((?:[^']|'')*)'(?:\s+#.*)?$/.exec(text);
    if (quoted !== null) return quoted[1].replaceAll("''", "'");
    if (/^['&*!%@`|>]/.test(text)) throw this.#refuse(line, 'has a value that is neither plain nor quoted');
    const plain = text.replace(/(^|\s+)#.*$/, '');
    return plain === '' || plain === 'null' || plain === '~' ? null : plain;
  }

  #refuse({ number }: Line, reason: string): SyntaxError {
    return new SyntaxError(`line ${number} ${reason}`);
  }
}

const isItem = (line: Line | undefined): boolean => line !== undefined && /^-(\s|$)/.test(line.text);

/** The key of a line and the rest; null if it has none. */
function keyOf(text: string): [string, string] | null {
  const found = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s'"{[#&*!|>-][^#]*?):(?:\s+(.*))?$/.exec(text);
  if (found === null) return null;
  const [, key, rest = ''] = found;
  const name = key.startsWith('"') ? JSON.parse(key) : key.replace(/^'(.*)'$/, '$1');
  return [name, rest.startsWith('#') ? '' : rest];
}
