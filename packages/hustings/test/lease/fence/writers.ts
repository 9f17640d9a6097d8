/** Starts racing-writer.mjs several times over, kills some of them if asked to, and counts what they tell. */

import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { outputOf, startProcess } from '../../../../../test-kit/limits/child-process.ts';

const WRITER = fileURLToPath(new URL('./racing-writer.mjs', import.meta.url));

export interface WriterOptions {
  readonly kind: 'file' | 'sqlite';
  readonly path: string;
  readonly terms: number;
  readonly check?: 'fenced' | 'none';
  /** kill −9 after it has told this many outcomes. */
  readonly killAfter?: number;
}

export interface Told {
  readonly written: number;
  readonly stale: number;
}

export async function runWriter({
  kind,
  path,
  terms,
  check = 'fenced',
  killAfter,
}: WriterOptions): Promise<Told> {
  const child = startProcess(process.execPath, [WRITER, kind, path, `${terms}`, check], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = outputOf(child);
  const count = (word: string): number => output.stdout.split('\n').filter((line) => line === word).length;
  child.stdout.on('data', () => {
    if (killAfter !== undefined && count('written') + count('stale') >= killAfter) child.kill('SIGKILL');
  });
  const [code, signal] = await once(child, 'close');
  if (code !== 0 && !(killAfter !== undefined && signal === 'SIGKILL')) {
    throw new Error(`a writer ended with ${code ?? signal}: ${output.stderr}`);
  }
  return { written: count('written'), stale: count('stale') };
}
