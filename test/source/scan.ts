// Separates code from comments and strings, so that a word in a comment is not taken for code.
// A scanner, not a parser: it handles comments, strings, templates (whose `${…}` is code) and regular expressions.

export interface Scanned {
  /** The text with comments, strings and regular expressions blanked: the same length, the same lines. */
  readonly code: string;
  /** The strings by the offset of their opening quote, without templates. */
  readonly strings: ReadonlyMap<number, string>;
}

// A slash after one of these begins a regular expression; otherwise it is a division.
const BEFORE_REGEXP =
  /(?:^|[=(,:;!&|?{}[+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|yield|await))\s*$/;
const PIECE = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y;
const REGEXP = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;

export function scan(text: string): Scanned {
  const strings = new Map<number, string>();
  const templates: number[] = []; // depth of braces in each `${…}` that is open
  let code = '';
  let at = 0;

  const skip = (length: number): void => {
    code += text.slice(at, at + length).replace(/[^\n]/g, ' ');
    at += length;
  };
  const keep = (): void => {
    code += text[at++];
  };
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  /** Skips from after a backtick or a closing brace to the end of the template or its next `${`. */
  const skipTemplate = (): void => {
    while (at < text.length) {
      if (text[at] === '`') {
        keep();
        return;
      }
      if (text.startsWith('${', at)) {
        skip(1);
        keep();
        templates.push(0);
        return;
      }
      skip(text[at] === '\\' ? 2 : 1);
    }
  };

  while (at < text.length) {
    const char = text[at];
    const piece = match(PIECE);
    if (piece !== undefined) {
      const isString = char !== '/';
      if (isString) strings.set(at, piece.slice(1, -1));
      if (isString) keep();
      skip(piece.length - (isString ? 2 : 0));
      if (isString) keep();
    } else if (char === '/' && BEFORE_REGEXP.test(code.slice(-80))) {
      skip(match(REGEXP)?.length ?? 1);
    } else if (char === '`') {
      keep();
      skipTemplate();
    } else if (char === '}' && templates.at(-1) === 0) {
      templates.pop();
      keep();
      skipTemplate();
    } else {
      if (templates.length > 0 && char === '{') templates[templates.length - 1]++;
      if (templates.length > 0 && char === '}') templates[templates.length - 1]--;
      keep();
    }
  }
  return { code, strings };
}

/** The line of an offset, counted from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
