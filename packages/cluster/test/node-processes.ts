/** The member processes of a test, by id. They end with it. A test that fails shows what they have printed. */
import { afterEach } from 'vitest';
import type { Started } from '../../../test-kit/command.ts';

/** Characters of each process that a failure shows: the last ones. */
const MAX_SHOWN = 3_000;

export function nodeProcesses(): { readonly running: Map<number, Started>; end(id: number): Promise<void> } {
  const running = new Map<number, Started>();
  const end = async (id: number): Promise<void> => {
    const started = running.get(id);
    running.delete(id);
    started?.end('SIGKILL');
    await started?.ended;
  };
  afterEach(async ({ task }) => {
    for (const [id, started] of task.result?.state === 'fail' ? running : []) {
      const text = [...started.lines(), started.errors()].join('\n');
      process.stderr.write(`member ${id} has printed:\n${text.slice(-MAX_SHOWN)}\n`);
    }
    for (const id of [...running.keys()]) await end(id);
  });
  return { running, end };
}
