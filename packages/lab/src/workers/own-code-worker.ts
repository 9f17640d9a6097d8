/**
 * Runs a reader's algorithm. It is started by the frame of the sandbox only, as a blob in an opaque origin without network.
 *
 * The code gets the kernel and nothing else: what a worker could use to speak to others is taken away before it is loaded. The
 * origin and the policy of the frame hold in any case; this keeps the code from flooding the page by accident.
 */
import { errorMessage } from '@hustings/base';
import type { AnyAlgorithm } from '@hustings/study/kernel';
import * as kernel from '@hustings/study/kernel';
import { type OwnCodeReply, type OwnCodeRequest, shortText } from '../model/write/own-code.ts';
import { doOwnCode } from '../model/write/own-code-job.ts';

const scope = globalThis as unknown as Record<string, unknown> & {
  onmessage: ((event: MessageEvent<OwnCodeRequest>) => void) | null;
  postMessage(message: unknown): void;
  importScripts(url: string): void;
  ownCode: ((run: OwnCode) => void) | undefined;
};

const post = scope.postMessage.bind(scope);
const tell = (reply: OwnCodeReply): void => post(reply);
const clock = performance.now.bind(performance);
const makeUrl = URL.createObjectURL.bind(URL);
const OwnBlob = Blob;
const loadScript = scope.importScripts.bind(scope);

const TAKEN_AWAY = [
  ...['postMessage', 'close', 'importScripts', 'fetch', 'XMLHttpRequest', 'WebSocket', 'WebTransport'],
  ...['EventSource', 'Worker', 'SharedWorker', 'BroadcastChannel', 'MessageChannel', 'indexedDB', 'caches'],
  ...['navigator', 'setTimeout', 'setInterval', 'queueMicrotask', 'requestAnimationFrame', 'WebAssembly'],
];

function takeAway(): void {
  for (const name of TAKEN_AWAY) {
    for (let at: object | null = scope; at !== null; at = Object.getPrototypeOf(at))
      Reflect.deleteProperty(at, name);
    if (name in scope) Object.defineProperty(scope, name, { value: undefined });
  }
}

type OwnCode = (exports: object, require: (name: string) => unknown, ranLine: (line: number) => void) => void;

/** A blob worker of an opaque origin loads classic scripts only. */
function load(code: string, ranLine: (line: number) => void, urls: string[]): AnyAlgorithm {
  const url = makeUrl(new OwnBlob([code], { type: 'text/javascript' }));
  urls.push(url);
  const exported: Record<string, unknown> = {};
  scope.ownCode = (run) => {
    scope.ownCode = undefined;
    run(exported, () => kernel, ranLine);
  };
  loadScript(url);
  return chosen(exported);
}

/** The default export, or the only exported algorithm: the rule of the command line. */
function chosen(exported: Record<string, unknown>): AnyAlgorithm {
  const found = Object.entries(exported).filter(
    ([, value]) => typeof value === 'object' && value !== null && 'messages' in value && 'on' in value,
  );
  const one = found.find(([name]) => name === 'default') ?? (found.length === 1 ? found[0] : undefined);
  if (one !== undefined) return one[1] as AnyAlgorithm;
  throw new Error(
    found.length === 0
      ? 'the file must export an algorithm: write export const name = defineAlgorithm({ … })'
      : `the file must export one algorithm, not ${found.length}: export one of them as default`,
  );
}

scope.onmessage = ({ data: request }) => {
  scope.onmessage = null;
  const lines = new Set<number>();
  const urls: string[] = [];
  const lineOf = (error: unknown): number | null => {
    const { cause } = (error ?? {}) as { cause?: unknown };
    const deeper = cause === undefined ? null : lineOf(cause);
    if (deeper !== null) return deeper;
    const stack = error instanceof Error ? String(error.stack) : '';
    for (const text of stack.split('\n')) {
      const url = urls.find((each) => text.includes(each));
      const [, line] = /:(\d+):\d+\)?$/.exec(text) ?? [];
      if (url !== undefined && line !== undefined) return Number(line);
    }
    return null;
  };
  takeAway();
  try {
    tell({ type: 'alive', states: 0 });
    if (request.isDiagnosis) tell({ type: 'enter', handler: '' });
    const plain = load(request.plain, () => {}, urls);
    const probed = load(request.probed, (line) => lines.add(line), urls);
    const takeLines = (): number[] => {
      const taken = [...lines].sort((a, b) => a - b);
      lines.clear();
      return taken;
    };
    doOwnCode(request, { plain, probed, takeLines, lineOf }, tell, clock);
  } catch (error) {
    const text = errorMessage(error);
    tell({ type: 'failed', stage: 'load', text: shortText(text), line: lineOf(error) });
  }
};
