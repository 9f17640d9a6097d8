import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MAIN, temporaryFolder } from '../../../../test-kit/command.ts';
import { runProcess, startProcess } from '../../../../test-kit/limits/child-process.ts';
import { openStore } from '../../src/lease/index.ts';

const folder = temporaryFolder();
const isGnu = runProcess('tail', ['--version']).stdout?.includes('GNU') === true;

// Without GNU tail the commands end at the next change.
it.skipIf(!isGnu)(
  'a command that watches ends when its reader has gone, although nothing changes',
  async () => {
    const store = `sqlite:${join(folder.path, 'leases.db')}`;
    await (await openStore(store)).close();
    const ends = ['leader', 'shards'].map((verb) => {
      const watch = [process.execPath, MAIN, verb, 'quiet', '--watch', '--store', store];
      const child = startProcess('bash', ['-c', 'set -o pipefail; "$@" | head -1', 'bash', ...watch], {
        stdio: ['ignore', 'pipe', 'pipe'],
        limitMs: 30_000,
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
      return new Promise<string>((resolve) => {
        child.on('close', (code, signal) =>
          resolve(`${code ?? signal}: ${output.split('\n').length - 1} line`),
        );
      });
    });
    expect(await Promise.all(ends)).toEqual(['0: 1 line', '0: 1 line']);
  },
);
