/**
 * A job of the lab in Node, in a process of its own: the module of the worker itself, with the replies read here. Prints
 * the milliseconds from the import of the module to the result.
 */
import { performance } from 'node:perf_hooks';

/** The workers that are measured. */
export type BenchedWorker = 'summary' | 'check';

interface Reply {
  readonly type: 'progress' | 'result' | 'error';
  readonly message?: string;
}

const [name, request] = process.argv.slice(2);
const scope = globalThis as unknown as {
  onmessage: (event: { readonly data: unknown }) => void;
  postMessage: (reply: Reply) => void;
};
const start = performance.now();
scope.postMessage = ({ message, type }) => {
  if (type === 'progress') return;
  if (type === 'error') throw new Error(message);
  console.log(performance.now() - start);
};
if (name === 'summary') await import('../src/lab/workers/summary-worker.ts');
else await import('../src/lab/workers/check-worker.ts');
scope.onmessage({ data: JSON.parse(request) });
