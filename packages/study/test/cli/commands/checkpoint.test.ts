import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hustings, startHustings, temporaryFolder } from '../../../../../test-kit/command.ts';

const folder = temporaryFolder();
const run = (args: string) => hustings(['check', ...args.split(' ')], folder.path);

/** Says on stderr that the search has begun. With 13 nodes the search takes much longer than the test. */
const ANNOUNCED = `
import { dolevKlaweRodeh } from '@hustings/study/algorithms';
let isSaid = false;
export default {
  ...dolevKlaweRodeh,
  name: 'announced',
  onStart(state, ctx) {
    if (!isSaid) process.stderr.write('searching\\n');
    isSaid = true;
    return dolevKlaweRodeh.onStart(state, ctx);
  },
};
`;

/** Starts a check, and sends Ctrl-C more than a second after its search has begun: before, a signal ends the process. */
async function interrupted(args: string) {
  writeFileSync(join(folder.path, 'announced.mjs'), ANNOUNCED);
  const started = startHustings(['check', './announced.mjs', ...args.split(' ')], folder.path);
  while (!started.errors().includes('searching')) await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => setTimeout(resolve, 1500));
  started.end('SIGINT');
  return started.ended;
}

const LONG = '--nodes 13 --starts first --reduce none';

describe('a check that Ctrl-C stops', () => {
  it('reports what it has covered, and exits with 130', async () => {
    const { status, stdout } = await interrupted(LONG);
    expect(status).toBe(130);
    expect(stdout.replaceAll('\n', ' ')).toMatch(
      /warning: incomplete: the search was interrupted after expanding [\d,]+ of [\d,]+ states and [\d,]+ transitions?, complete to depth \d+: no violation so far; not a proof/,
    );
  });

  it('prints its result as JSON, and saves a checkpoint that can be resumed', async () => {
    const { status, stdout, stderr } = await interrupted(`${LONG} --json --checkpoint stopped.checkpoint`);
    expect(status).toBe(130);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ stopped: 'interrupt', complete: false, violations: [] });
    expect(stderr).toContain('checkpoint: stopped.checkpoint; continue with the same options');
    const resumed = run(`./announced.mjs ${LONG} --json --resume stopped.checkpoint --states 1`);
    expect(resumed.status).toBe(0);
    const { states, stopped, transitions } = JSON.parse(resumed.stdout);
    expect({ states, stopped, transitions }).toEqual({
      states: result.states,
      stopped: 'states',
      transitions: result.transitions,
    });
    writeFileSync(join(folder.path, 'announced.mjs'), `${ANNOUNCED}export const more = 1;\n`);
    expect(run(`./announced.mjs ${LONG} --resume stopped.checkpoint`)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^hustings: the checkpoint is of another check: its file is [^\n]+\n$/),
    });
  });
});

describe('a check that a limit stops', () => {
  const SEARCH = 'dolev-klawe-rodeh --nodes 7 --starts first --reduce none --order descending';

  it.each(['', ' --fingerprints'])('is saved, and has the result of one that was not stopped%s', (more) => {
    const whole = run(`${SEARCH}${more} --json`);
    const { status, stderr } = run(`${SEARCH}${more} --states 500 --json --checkpoint part.checkpoint`);
    expect(status).toBe(0);
    expect(stderr).toContain('checkpoint: part.checkpoint; continue');
    const rest = run(`${SEARCH}${more} --json --resume part.checkpoint --checkpoint part.checkpoint`);
    expect(JSON.parse(rest.stdout)).toEqual(JSON.parse(whole.stdout));
    expect(rest.stderr).toContain('there is nothing to continue; not written: part.checkpoint');
    // The name of a temporary file begins with a dot.
    expect(readdirSync(folder.path).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('finds the counterexample of one that was not stopped', () => {
    const wrong = 'peterson --nodes 4 --orders all --nofifo --reduce none';
    const whole = run(`${wrong} --json`);
    expect(whole.status).toBe(1);
    run(`${wrong} --states 2000 --checkpoint wrong.checkpoint`);
    const rest = run(`${wrong} --json --resume wrong.checkpoint`);
    expect(rest.status).toBe(1);
    expect(JSON.parse(rest.stdout)).toEqual(JSON.parse(whole.stdout));
  });

  it('is not resumed by another check, or from a file that is not whole', () => {
    run(`${SEARCH} --states 500 --checkpoint good.checkpoint`);
    const good = readFileSync(join(folder.path, 'good.checkpoint'));
    const refused = (args: string): string => {
      const { status, stdout, stderr } = run(args);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^hustings: [^\n]+\n$/);
      return stderr;
    };
    expect(refused(`${SEARCH} --losses 1 --resume good.checkpoint`)).toContain('its losses is 0, not 1');
    const damaged = Buffer.from(good);
    damaged[good.length >> 1] ^= 1;
    const files = [
      ['cut', good.subarray(0, -1), 'is truncated'],
      ['damaged', damaged, 'is damaged: its checksum does not match'],
      ['other', Buffer.from('{}'), 'it is not a checkpoint of hustings'],
    ] as const;
    for (const [name, bytes, text] of files) {
      writeFileSync(join(folder.path, name), bytes);
      expect(refused(`${SEARCH} --resume ${name}`)).toContain(text);
    }
    expect(refused(`${SEARCH} --resume missing`)).toContain("must be a readable file, not 'missing'");
    expect(refused(`${SEARCH} --worst messages --checkpoint none`)).toContain('cannot be used with');
    expect(existsSync(join(folder.path, 'none'))).toBe(false);
  });
});
