import { afterEach, describe, expect, it, vi } from 'vitest';
import { report } from '../../packages/base/src/command/exit.ts';
import { VERB_NAMES } from '../../packages/hustings/src/cli/installed-verbs.ts';
import { runProgram } from '../../packages/hustings/src/cli/program.ts';
import { hustings } from '../../test-kit/command.ts';

afterEach(() => void vi.restoreAllMocks());

describe('with --json a failure prints an error object', () => {
  // `lead` and `cron` leave stdout to the command that they run.
  const supervising = ['lead', 'cron'];

  it.each(VERB_NAMES)('of %s: bad input', async (verb) => {
    const args = [verb, '--json', '--no-such-option'];
    vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', 'hustings', ...args]);
    const [out, err] = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')];
    for (const stream of [out, err]) stream.mockReturnValue();
    expect(await runProgram(args).catch(report)).toBe(2);
    const [json, other] = supervising.includes(verb) ? [err, out] : [out, err];
    const { version, error } = JSON.parse(json.mock.calls[0][0]);
    expect({ version, ...error }).toMatchObject({ version: 1, code: 'HUSTINGS_INPUT', exitCode: 2 });
    expect(error.message).toMatch(/unknown option '--|required option '--to/);
    expect(other.mock.calls).toEqual(supervising.includes(verb) ? [] : [[`hustings: ${error.message}`]]);
  });

  it('of an unknown command', () => {
    const { stdout } = hustings(['simulat', '--json']);
    expect(JSON.parse(stdout).error.message).toMatch(/^'simulat' is not a command/);
  });

  it('of a failed election, with the property and the command that repeats it', () => {
    const { status, stdout } = hustings('simulate chang-roberts --nodes 4 --until 2 --json'.split(' '));
    expect(status).toBe(1);
    const { error } = JSON.parse(stdout);
    expect(error).toMatchObject({ code: 'HUSTINGS_ELECTION', property: 'termination' });
    expect(error.replay).toMatch(/^hustings simulate chang-roberts --nodes 4/);
  });

  it('of a violated assumption, with the options that help', () => {
    const { stdout } = hustings('sweep peterson --schedule random:nofifo --json'.split(' '));
    expect(JSON.parse(stdout).error.remedies).toContainEqual({ option: 'despite', value: 'fifo' });
  });

  it('but not if --json belongs to the command after --', () => {
    const { stdout, stderr } = hustings(['lead', '--bad', '--', 'echo', '--json']);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^hustings: unknown option/);
  });
});
