import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test-kit/command.ts';
import { serveToken } from '../../../src/cli/flags/serve-token.ts';

const folder = temporaryFolder();
let count = 0;
const freshFile = (): string => join(folder.path, `token-${count++}`);

function take(file: string | undefined, given = '') {
  const warnings: string[] = [];
  const token = serveToken(file, { HUSTINGS_SERVE_TOKEN: given }, (text) => void warnings.push(text));
  return { ...token, warnings };
}

describe('the token of changes', () => {
  it('is a new one without a file and a variable, and only then is it to be printed', () => {
    expect(take(undefined)).toEqual({
      token: expect.stringMatching(/^[0-9a-f]{48}$/),
      isNew: true,
      warnings: [],
    });
  });

  it('is written to a file that does not exist, whole and for this user alone, and read from it afterwards', () => {
    const file = freshFile();
    const first = take(file);
    expect(first).toMatchObject({ token: readFileSync(file, 'utf8').trim(), isNew: false, warnings: [] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(take(file)).toEqual(first);
    expect(readdirSync(folder.path).filter((name) => join(folder.path, name).startsWith(file))).toHaveLength(
      1,
    );
  });

  it('is not that of an empty file, which would let everybody in', () => {
    const file = freshFile();
    writeFileSync(file, '\n', { mode: 0o600 });
    expect(() => take(file)).toThrow(/cannot be read from .*: the file is empty; remove it/);
  });

  it('of the environment comes before the file, which is neither read nor written', () => {
    const file = freshFile();
    expect(take(file, 'given-by-the-variable')).toMatchObject({
      token: 'given-by-the-variable',
      isNew: false,
    });
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    [0o644, 'can read'],
    [0o640, 'can read'],
    [0o620, 'can write'],
    [0o666, 'can write'],
  ])('in a file of mode %o is used with a warning: others %s it', (mode, right) => {
    const file = freshFile();
    writeFileSync(file, 'a-token-of-the-test\n');
    chmodSync(file, mode);
    const { token, warnings } = take(file);
    expect(token).toBe('a-token-of-the-test');
    expect(warnings).toEqual([`other users ${right} the token in ${file}; run chmod 600 on it`]);
  });

  it('that cannot be read or written is an error with the file', () => {
    const file = join(folder.path, 'missing', 'token');
    expect(() => take(file)).toThrow(`the token cannot be written to ${file}: `);
    expect(() => take(folder.path)).toThrow(`the token cannot be read from ${folder.path}: `);
  });
});
