import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EventStream } from '../../../base/src/http/event-stream.ts';
import type { TraceLine } from '../../../cluster/src/record/trace-line.ts';
import type { ClusterMessage, WatchedMember } from '../../src/model/cluster/cluster-snapshot.ts';
import { type ClusterFile, ClusterWatch, type FileMember } from '../../src/server/cluster-watch.ts';

const POLL = { timeout: 20_000, interval: 20 };
const begin = { type: 'begin', cluster: 'demo', id: 1, incarnation: 1, algorithm: 'raft', params: {} };
const BEGIN = { ...begin, members: [1], edges: null, unitMs: 50, recovered: false, durable: null };

/** Servers that answer as members do. */
const servers: Server[] = [];
const streams: EventStream[] = [];
let list: { version: number; members: number[] };

async function serve(id: number): Promise<FileMember & { close(): void }> {
  const server = createServer((request, response) => {
    if (request.url === '/trace') streams.push(new EventStream(response, () => {}));
    else
      response.end(JSON.stringify({ id, term: 1, hears: [], algorithm: 'raft', state: 'running', ...list }));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { id, address: `127.0.0.1:${7_000 + id}`, http: `127.0.0.1:${port}`, close };
}

/** What a watcher was told. */
function watch(read: () => ClusterFile) {
  const steps: TraceLine[] = [];
  let members: readonly WatchedMember[] = [];
  const told = (message: ClusterMessage): void => {
    if (message.type === 'members') ({ members } = message);
    if (message.type === 'steps') steps.push(...message.lines);
  };
  const end = new ClusterWatch(read).subscribe(told);
  endings.push(end);
  return { steps, states: () => members.map(({ id, state }) => `${id} ${state}`) };
}
const endings: (() => void)[] = [];

afterEach(() => {
  for (const end of endings.splice(0)) end();
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
  streams.length = 0;
});

describe('the members of a running cluster', () => {
  it('follow the list that they use: one is added, and found in the file; one that is removed and ends is left out', async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(serve));
    let members: FileMember[] = [one, two];
    list = { version: 1, members: [1, 2] };
    const { states } = watch(() => ({ cluster: 'demo', members }));
    await vi.waitFor(() => expect(states()).toEqual(['1 up', '2 up']), POLL);
    // The list has a member that the file does not know.
    list = { version: 2, members: [1, 2, 3] };
    await vi.waitFor(() => expect(states()).toEqual(['1 up', '2 up', '3 hidden']), POLL);
    members = [one, two, three];
    // The next change of a status reads the file again.
    list = { version: 3, members: [1, 2, 3] };
    await vi.waitFor(() => {
      list.version++;
      expect(states()).toEqual(['1 up', '2 up', '3 up']);
    }, POLL);
    list = { version: 1_000, members: [1, 3] };
    two.close();
    await vi.waitFor(() => expect(states()).toEqual(['1 up', '3 up']), POLL);
  });

  it('are down when their server has ended; lines that no member writes are left out', async () => {
    const one = await serve(1);
    list = { version: 1, members: [1] };
    const { states, steps } = watch(() => ({ cluster: 'demo', members: [one] }));
    await vi.waitFor(() => expect([states(), streams.length]).toEqual([['1 up'], 1]), POLL);
    streams[0].send({ dropped: 0, lines: [BEGIN, { type: 'step', step: 'fly' }, 'nonsense'] });
    await vi.waitFor(() => expect(steps).toEqual([BEGIN]), POLL);
    one.close();
    await vi.waitFor(() => expect(states()).toEqual(['1 down']), POLL);
  });

  it('send what they keep again, when another watcher comes', async () => {
    const one = await serve(1);
    list = { version: 1, members: [1] };
    const all = new ClusterWatch(() => ({ cluster: 'demo', members: [one] }));
    const lines: TraceLine[][] = [[], []];
    const listen = (own: TraceLine[]): void => {
      endings.push(all.subscribe((message) => void (message.type === 'steps' && own.push(...message.lines))));
    };
    listen(lines[0]);
    await vi.waitFor(() => expect(streams).toHaveLength(1), POLL);
    streams[0].send({ dropped: 0, lines: [BEGIN] });
    await vi.waitFor(() => expect(lines).toEqual([[BEGIN], []]), POLL);
    listen(lines[1]);
    await vi.waitFor(() => expect(streams).toHaveLength(2), POLL);
    streams[1].send({ dropped: 0, lines: [BEGIN] });
    await vi.waitFor(() => expect(lines[1]).toEqual([BEGIN]), POLL);
  });

  it('needs a file that can be read at first, and keeps the old one when it cannot be read later', async () => {
    const one = await serve(1);
    list = { version: 1, members: [1, 2] };
    let reads = 0;
    const { states } = watch(() => {
      if (++reads > 1) throw new Error('half written');
      return { cluster: 'demo', members: [one] };
    });
    await vi.waitFor(() => expect(states()).toEqual(['1 up', '2 hidden']), POLL);
    expect(reads).toBeGreaterThan(1);
    expect(() => watch(() => JSON.parse('{'))).toThrow();
  });
});
