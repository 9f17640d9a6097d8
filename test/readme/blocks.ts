// Finds the fenced code blocks of a document, and the commands in them.

export interface Block {
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** The reason of a comment `<!-- not run: REASON -->` before the block. */
  readonly notRun: string | undefined;
}

const OPENING = /^(\s*)(```+|~~~+)\s*([\w-]*)/;
const NOT_RUN = /^\s*<!--\s*not run:\s*(.*?)\s*-->\s*$/;

export function parseBlocks(markdown: string): Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  let notRun: string | undefined;
  for (let i = 0; i < lines.length; i++) {
    const opening = OPENING.exec(lines[i]);
    if (opening === null) {
      // The comment applies to the next block, with only blank lines between.
      if (lines[i].trim() !== '') notRun = NOT_RUN.exec(lines[i])?.[1];
      continue;
    }
    const [, indent, fence, language] = opening;
    const line = i + 1;
    const code: string[] = [];
    for (i++; i < lines.length && lines[i].trim() !== fence; i++) {
      code.push(lines[i].startsWith(indent) ? lines[i].slice(indent.length) : lines[i]);
    }
    if (i === lines.length) throw new Error(`the code block at line ${line} has no end`);
    blocks.push({ line, language, code: code.join('\n'), notRun });
    notRun = undefined;
  }
  return blocks;
}

export interface Command {
  readonly text: string;
  /** 0, unless the line ends in a comment such as `# exits 1`. */
  readonly exitCode: number;
}

/** One command a line; a backslash at the end continues it. In a `console` block commands begin with `$ `. */
export function commandsOf({ language, code }: Block): Command[] {
  const lines = code.replace(/\s*\\\n\s*/g, ' ').split('\n');
  const typed =
    language === 'console' ? lines.filter((line) => /^\$ /.test(line)).map((line) => line.slice(2)) : lines;
  return typed
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((text) => ({ text, exitCode: Number(/#.*\bexits (\d+)/.exec(text)?.[1] ?? 0) }));
}
