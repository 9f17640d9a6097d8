import { describe, expect, it } from 'vitest';
import { commandsOf, parseBlocks } from './blocks.ts';

const block = (language: string, code: string) => ({ language, code, line: 1, notRun: undefined });

describe('the blocks of a document', () => {
  it('have a language, a line and a text, without the indent of a list', () => {
    const blocks = parseBlocks(
      '# Title\n\n```sh\nls\n```\n\n1. Step\n\n   ~~~ts title="x"\n   a;\n     b;\n   ~~~\n',
    );
    expect(blocks).toEqual([
      { line: 3, language: 'sh', code: 'ls', notRun: undefined },
      { line: 9, language: 'ts', code: 'a;\n  b;', notRun: undefined },
    ]);
  });

  it('are skipped for the reason just before them, which applies to one block', () => {
    const comment = '<!-- not run: needs a server -->';
    const reasons = parseBlocks(
      `${comment}\n\n\`\`\`sh\na\n\`\`\`\n\`\`\`sh\nb\n\`\`\`\n${comment}\ntext\n\`\`\`sh\nc\n\`\`\``,
    );
    expect(reasons.map(({ notRun }) => notRun)).toEqual(['needs a server', undefined, undefined]);
  });

  it('must end', () => {
    expect(() => parseBlocks('```sh\nls\n')).toThrow('the code block at line 1 has no end');
  });
});

describe('the commands of a block', () => {
  it('are its lines without comments, joined at a backslash', () => {
    const commands = commandsOf(block('sh', '# first\nhustings a \\\n  --json\n\nhustings b'));
    expect(commands.map(({ text }) => text)).toEqual(['hustings a --json', 'hustings b']);
  });

  it('follow a dollar in a console block; the rest is output', () => {
    expect(commandsOf(block('console', '$ hustings a\nleader 7\n$ ls')).map(({ text }) => text)).toEqual([
      'hustings a',
      'ls',
    ]);
  });

  it('exit with 0 or with the code of their comment', () => {
    expect(
      commandsOf(block('sh', 'true\nfalse  # finds it and exits 1')).map(({ exitCode }) => exitCode),
    ).toEqual([0, 1]);
  });
});
