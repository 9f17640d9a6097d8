/**
 * One member in a process of its own. Reads commands from stdin, one JSON object per line: {to, from, until} sends frames with
 * these numbers. Prints what happens: {type: 'frame', from, n}, {type: 'reset', peer, unacknowledged}, {type: 'connected', peer}.
 */
import { createInterface } from 'node:readline';
import { TcpTransport } from '../../src/wire/tcp-transport.ts';

const { members, id } = JSON.parse(process.argv[2]);
const print = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`);

const transport = new TcpTransport({
  members,
  id,
  security: { type: 'secret', secret: 'a secret of two processes in a test' },
  silenceMs: 60_000,
  onEvent: print,
});
await transport.open({
  onFrame: (from, { n }) => print({ type: 'frame', from, n }),
  onSignOfLife: () => undefined,
  onReset: (peer, unacknowledged) => print({ type: 'reset', peer, unacknowledged: unacknowledged.length }),
});
print({ type: 'listening' });

for await (const line of createInterface({ input: process.stdin })) {
  const { to, from, until } = JSON.parse(line);
  for (let n = from; n < until; n++) transport.send(to, { type: 'message', n });
}
await transport.close();
