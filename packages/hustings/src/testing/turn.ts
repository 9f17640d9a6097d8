/** Turns of the event loop, through a message channel: a test runner may have replaced `setImmediate` and `setTimeout`. */
const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];

port2.on('message', () => {
  waiting.shift()?.();
  if (waiting.length === 0) port2.unref();
});
port2.unref();

/** Resolves in a later turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    port2.ref();
    port1.postMessage(null);
  });
}
