import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { INSTALL_SCRIPT, type Machine, missing, type ServerProgram } from './programs.ts';

function machine(
  given: Partial<Machine> & { programs?: ServerProgram[] },
): Machine & { installed: string[] } {
  const installed: string[] = [];
  const programs = new Set(given.programs ?? []);
  return {
    isDebian: true,
    isRoot: true,
    isCi: false,
    has: (program) => programs.has(program),
    install: async (packages) => {
      installed.push(...packages);
      programs.add('redis-server').add('postgres');
      return undefined;
    },
    ...given,
    installed,
  };
}

describe('a server that is missing', () => {
  it('is installed on Debian as root, together with all that are missing', async () => {
    const bare = machine({});
    expect(await missing('redis-server', bare)).toBeUndefined();
    expect(bare.installed).toEqual(['redis-server', 'postgresql']);
    const half = machine({ programs: ['redis-server'] });
    expect(await missing('postgres', half)).toBeUndefined();
    expect(half.installed).toEqual(['postgresql']);
  });

  it('is not installed if it is there, or by anybody but root, or on another system', async () => {
    const all = [
      machine({ programs: ['redis-server'] }),
      machine({ isRoot: false }),
      machine({ isDebian: false }),
    ];
    const answers = await Promise.all(all.map((each) => missing('redis-server', each)));
    expect(all.flatMap(({ installed }) => installed)).toEqual([]);
    expect(answers[0]).toBeUndefined();
    for (const answer of answers.slice(1)) {
      expect(answer).toBe(
        'redis-server is not installed: apt-get install -y --no-install-recommends redis-server',
      );
    }
  });

  it('says why it could not be installed', async () => {
    const cut = machine({ install: async () => 'no route to host' });
    expect(await missing('postgres', cut)).toMatch(
      /^postgres could not be installed \(no route to host\): apt-get/,
    );
  });

  it('is a failure with CI=true', async () => {
    await expect(missing('postgres', machine({ isRoot: false, isCi: true }))).rejects.toThrow(/CI=true/);
  });

  it('is installed by a script that a shell can read', () => {
    expect(spawnSync('sh', ['-n', '-c', INSTALL_SCRIPT]).status).toBe(0);
  });
});
