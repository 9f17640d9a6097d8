import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProcess } from '../limits/child-process.ts';
import { INSTALL_SCRIPT, type Machine, missing, type Program } from './programs.ts';

function machine(given: Partial<Machine> & { programs?: Program[] }): Machine & { installed: string[] } {
  const installed: string[] = [];
  const programs = new Set(given.programs ?? []);
  return {
    isDebian: true,
    isRoot: true,
    isCi: false,
    has: (program) => programs.has(program),
    install: async (packages) => {
      installed.push(...packages);
      programs.add('redis-server').add('postgres').add('chromium');
      return undefined;
    },
    ...given,
    installed,
  };
}

/** Runs the script with stand-ins for Debian's programs. */
function install(given: { installed?: string[]; policy?: string; fails?: boolean }) {
  const folder = mkdtempSync(join(tmpdir(), 'hustings-install-'));
  const policy = join(folder, 'policy-rc.d');
  const asked = join(folder, 'asked');
  const program = (name: string, text: string): void =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  try {
    const known = (given.installed ?? [])
      .map((name) => `*\\ ${name}) echo 'install ok installed';;`)
      .join(' ');
    program('dpkg-query', `case "$*" in ${known} *) exit 1;; esac`);
    program(
      'apt-get',
      `"$POLICY"; echo "policy $?|$DEBIAN_FRONTEND|$*" >>${asked}; ${given.fails ? 'exit 100' : ''}`,
    );
    if (given.policy !== undefined) writeFileSync(policy, given.policy, { mode: 0o755 });
    const { status } = runProcess('sh', ['-c', INSTALL_SCRIPT, 'sh', 'redis-server', 'postgresql'], {
      env: { PATH: `${folder}:${process.env.PATH}`, POLICY: policy },
    });
    const lines = existsSync(asked) ? readFileSync(asked, 'utf8').trim().split('\n') : [];
    return {
      status,
      asked: lines.map((line) => line.split('|')),
      policy: existsSync(policy) ? readFileSync(policy, 'utf8') : undefined,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('a program that is missing', () => {
  it('is installed on Debian as root, together with those of its group that are missing too', async () => {
    const bare = machine({});
    expect(await missing('redis-server', bare)).toBeUndefined();
    expect(bare.installed).toEqual(['redis-server', 'postgresql']);
    const half = machine({ programs: ['redis-server'] });
    expect(await missing('postgres', half)).toBeUndefined();
    expect(half.installed).toEqual(['postgresql']);
    const blind = machine({});
    expect(await missing('chromium', blind)).toBeUndefined();
    expect(blind.installed).toEqual(['chromium', 'chromium-headless-shell']);
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

  it('is installed with a policy that keeps its service from starting, which is removed again', () => {
    const run = install({ installed: ['redis-server'] });
    expect(run.status).toBe(0);
    expect(run.asked).toEqual([
      ['policy 101', 'noninteractive', expect.stringMatching(/update$/)],
      [
        'policy 101',
        'noninteractive',
        expect.stringMatching(/install -y --no-install-recommends postgresql$/),
      ],
    ]);
    expect(run.policy).toBeUndefined();
  });

  it('is not asked for again once it is installed: nothing is touched', () => {
    const run = install({ installed: ['redis-server', 'postgresql'] });
    expect(run).toMatchObject({ status: 0, asked: [], policy: undefined });
  });

  it('leaves a policy of somebody else alone, and removes its own after a failure or an earlier kill', () => {
    expect(install({ policy: '#!/bin/sh\nexit 104\n' }).policy).toBe('#!/bin/sh\nexit 104\n');
    expect(install({ fails: true })).toMatchObject({ status: 100, policy: undefined });
    const left = INSTALL_SCRIPT.match(/mark='(.*)'/)![1];
    expect(install({ policy: `#!/bin/sh\n${left}\nexit 101\n` }).policy).toBeUndefined();
  });
});
