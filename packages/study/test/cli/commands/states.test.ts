import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hustings, temporaryFolder } from '../../../../../test-kit/command.ts';

const folder = temporaryFolder();
const PETERSON = ['simulate', 'peterson', '--ids', '2,1'];

describe('--states', () => {
  it('prints the state of each node initially and after each event', () => {
    const { status, stdout } = hustings([...PETERSON, '--trace', '--states']);
    expect(status).toBe(0);
    const lines = stdout.split('\n');
    expect(lines.slice(0, 2).every((line) => /^0\.000 state [01] \w+=/.test(line))).toBe(true);
    expect(lines[2]).toBe('0.000 start 0');
    expect(lines[3]).toMatch(/^0\.000 state 0 /);
  });

  it('changes nothing in the drawing of the run', () => {
    for (const [file, more] of [
      ['with.svg', ['--states']],
      ['without.svg', []],
    ] as const) {
      expect(hustings([...PETERSON, '--trace', '--svg', file, ...more], folder.path).status).toBe(0);
    }
    const [one, other] = ['with.svg', 'without.svg'].map((file) =>
      readFileSync(join(folder.path, file), 'utf8'),
    );
    expect(one).toBe(other);
  });

  it('is refused without a trace', () => {
    const { status, stderr } = hustings([...PETERSON, '--states']);
    expect(status).toBe(2);
    expect(stderr).toContain('--states needs --trace');
  });
});
