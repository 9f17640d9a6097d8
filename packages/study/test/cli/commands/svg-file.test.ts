import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hustings, MAIN, temporaryFolder } from '../../../../../test-kit/command.ts';
import { runProcess } from '../../../../../test-kit/limits/child-process.ts';
import { prepareOutput } from '../../../../base/src/command/user-files.ts';
import { PALETTES } from '../../../src/drawing/index.ts';

const folder = temporaryFolder();
const at = (name: string): string => join(folder.path, name);
const draw = (path: string, ...args: string[]) =>
  hustings(['simulate', 'chang-roberts', '--svg', path, ...args], folder.path);

describe('--svg', () => {
  it('writes one SVG document, prints its path, and leaves no other file', () => {
    const before = readdirSync(folder.path);
    const { status, stdout } = draw('election.svg');
    expect(status).toBe(0);
    expect(stdout).toContain('space-time diagram: election.svg');
    const text = readFileSync(at('election.svg'), 'utf8');
    expect(text).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"/);
    expect(text).toMatch(/<\/svg>\n$/);
    expect(readdirSync(folder.path)).toEqual([...before, 'election.svg']);
  });

  it('names the parameters that were set, and no others', () => {
    const title = (...args: string[]) => {
      hustings(['simulate', 'itai-rodeh', '--nodes', '4', '--svg', 'set.svg', ...args], folder.path);
      return /<title>(.*)<\/title>/.exec(readFileSync(at('set.svg'), 'utf8'))?.[1];
    };
    expect(title('--set', 'c=2')).toMatch(/: 4 nodes on a one-way ring, lockstep, seed 1, c = 2: /);
    expect(title()).toMatch(/: 4 nodes on a one-way ring, lockstep, seed 1: /);
  });

  it('has the size and the colours that --size, --dark and --transparent ask for', () => {
    draw('page.svg', '--size', 'page', '--dark', '--transparent');
    const text = readFileSync(at('page.svg'), 'utf8');
    expect(text).toMatch(/^<svg [^>]*width="960" height="720"/);
    expect(text).toContain(PALETTES.dark.ink);
    expect(text).not.toContain('<rect width="100%"');
  });

  it.each([
    [['--dark'], /^hustings: --dark needs --svg[^\n]*: give both\n$/],
    [['--svg', 'a.svg', '--size', 'a4'], /^hustings: --size must be slide, page or poster, not 'a4'/],
  ])('refuses %j', (args, message) => {
    const { status, stderr } = hustings(['simulate', 'chang-roberts', ...args], folder.path);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });

  it.each([
    ['a folder that does not exist', 'absent/election.svg'],
    ['a folder', '.'],
    ['a place under a file', 'file/election.svg'],
  ])('exits with 3 and one line for %s, before anything is printed', (_, path) => {
    writeFileSync(at('file'), '');
    const { status, stdout, stderr } = draw(path, '--trace');
    expect(stderr).toMatch(/^hustings: [^\n]+ cannot be written: [^\n]+\n$/);
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  });

  it('exits with 3 if the disk is full, for the drawing and for the output', ({ skip }) => {
    if (!existsSync('/dev/full')) skip('this system has no /dev/full');
    expect(draw('/dev/full')).toMatchObject({ status: 3, stdout: '' });
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = runProcess(process.execPath, [MAIN, 'algorithms'], {
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    expect(status).toBe(3);
    expect(stderr).toMatch(/^hustings: cannot write the output: no space left [^\n]*\n$/);
  });

  it('checks the input before the file', () => {
    expect(draw('absent/election.svg', '--nodes', '0').status).toBe(2);
  });

  it('draws a failed election too, and says so', () => {
    const { status, stderr } = draw('failed.svg', '--until', '3');
    expect(status).toBe(1);
    expect(stderr).toMatch(/drawn in failed\.svg; replay: [^\n]+\n$/);
    expect(readFileSync(at('failed.svg'), 'utf8')).toContain('the election failed');
  });
});

describe('a file that is written', () => {
  it('keeps its old content until the new content is complete', () => {
    writeFileSync(at('kept'), 'old');
    const file = prepareOutput('svg', at('kept'));
    expect(readFileSync(at('kept'), 'utf8')).toBe('old');
    file.write('new');
    expect(readFileSync(at('kept'), 'utf8')).toBe('new');
  });

  it('is not created by the check whether it can be written', () => {
    prepareOutput('svg', at('asked'));
    expect(existsSync(at('asked'))).toBe(false);
  });

  it('keeps its mode, and a link to it remains a link', () => {
    writeFileSync(at('target'), 'old');
    chmodSync(at('target'), 0o640);
    symlinkSync(at('target'), at('link'));
    prepareOutput('svg', at('link')).write('new');
    expect(readFileSync(at('target'), 'utf8')).toBe('new');
    expect(statSync(at('target')).mode & 0o777).toBe(0o640);
  });

  it('is not replaced if it is a device', () => {
    prepareOutput('svg', '/dev/null').write('gone');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('leaves no temporary file if it cannot be replaced', () => {
    mkdirSync(at('moving'));
    const file = prepareOutput('svg', at('moving/out'));
    mkdirSync(at('moving/out'));
    expect(() => file.write('text')).toThrow(/moving\/out cannot be written/);
    expect(readdirSync(at('moving'))).toEqual(['out']);
  });
});
