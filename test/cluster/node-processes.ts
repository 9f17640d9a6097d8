/** The member processes of a test, by id. They end with it. */
import { afterEach } from 'vitest';
import type { Started } from '../cli/command.ts';

export function nodeProcesses(): { readonly running: Map<number, Started>; end(id: number): Promise<void> } {
  const running = new Map<number, Started>();
  const end = async (id: number): Promise<void> => {
    const started = running.get(id);
    running.delete(id);
    started?.end('SIGKILL');
    await started?.ended;
  };
  afterEach(async () => {
    for (const id of [...running.keys()]) await end(id);
  });
  return { running, end };
}
