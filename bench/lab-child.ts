/**
 * A job of the lab in Node, in a process of its own: the module of the worker, by its URL, with the replies read here. The job is done
 * twice; prints the milliseconds of the second time, when its code is loaded and compiled.
 */
import { performance } from 'node:perf_hooks';

/** The workers that are measured. */
export type BenchedWorker = 'summary' | 'check';

interface Reply {
  readonly type: 'progress' | 'result' | 'error';
  readonly message?: string;
}

const [module, request] = process.argv.slice(2);
const scope = globalThis as unknown as {
  onmessage: (event: { readonly data: unknown }) => void;
  postMessage: (reply: Reply) => void;
};
let start: number | null = null;
scope.postMessage = ({ message, type }) => {
  if (type === 'progress') return;
  if (type === 'error') throw new Error(message);
  if (start !== null) {
    console.log(performance.now() - start);
    return;
  }
  start = performance.now();
  scope.onmessage({ data: JSON.parse(request) });
};
await import(module);
scope.onmessage({ data: JSON.parse(request) });
