/**
 * Servers that speak enough of ZooKeeper's protocol for a store, and do on command what real ones do seldom: lag behind, and
 * answer late. As in ZooKeeper, a server that lags answers reads with what it has applied, and applies everything before it
 * answers a write. Nothing expires, and watches report nothing.
 */
import { createServer, type Socket } from 'node:net';
import { JuteReader, JuteWriter } from '../../../../src/lease/stores/zookeeper/jute.ts';
import {
  BAD_VERSION,
  NO_NODE,
  NODE_EXISTS,
} from '../../../../src/lease/stores/zookeeper/zookeeper-protocol.ts';

interface FakeNode {
  readonly data: Buffer;
  readonly version: number;
  readonly owner: bigint;
}

type Nodes = ReadonlyMap<string, FakeNode>;
type Answer = (writer: JuteWriter) => void;

class Refusal extends Error {
  constructor(readonly code: number) {
    super();
  }
}

export interface FakeServer {
  readonly url: string;
  /** Answers wait for this many milliseconds. */
  delayMs: number;
  /** Has forgotten what it answered, and refuses sessions that have seen it, as a server does whose backup was restored. */
  isRestored: boolean;
  /** Ends all connections. */
  disconnect(): void;
  close(): Promise<void>;
}

export interface FakeServerOptions {
  readonly lags?: boolean;
  readonly sessionTimeoutMs?: number;
}

export class FakeEnsemble {
  #committed: Nodes = new Map([['/', { data: Buffer.alloc(0), version: 0, owner: 0n }]]);
  #sessions = 0n;
  #number = 0;

  async start({ lags = false, sessionTimeoutMs = 60_000 }: FakeServerOptions = {}): Promise<FakeServer> {
    let applied = this.#committed;
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      const session = ++this.#sessions;
      sockets.add(socket.on('error', () => undefined));
      let isGreeted = false;
      let received: Buffer = Buffer.alloc(0);
      const reply = (frame: Buffer): void => {
        setTimeout(() => socket.writable && socket.write(frame), fake.delayMs);
      };
      socket.on('data', (data) => {
        received = Buffer.concat([received, data]);
        while (received.length >= 4 && received.length >= received.readInt32BE() + 4) {
          const length = received.readInt32BE();
          const reader = new JuteReader(received.subarray(4, length + 4));
          received = received.subarray(length + 4);
          if (isGreeted) {
            const [xid, code] = [reader.int(), reader.int()];
            const isRead = READS.has(code);
            const before = lags ? applied : this.#committed;
            const { nodes, frame } = this.#answer(
              xid,
              code,
              reader,
              isRead ? before : this.#committed,
              session,
            );
            if (!isRead) applied = this.#committed = nodes;
            reply(frame);
          } else {
            isGreeted = true;
            const [, seen] = [reader.int(), reader.long()];
            if (fake.isRestored && seen > 0n) return void socket.destroy();
            reply(
              new JuteWriter().int(0).int(sessionTimeoutMs).long(session).buffer(Buffer.alloc(16)).frame(),
            );
          }
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const fake: FakeServer = {
      url: `zookeeper://127.0.0.1:${(server.address() as { port: number }).port}`,
      delayMs: 0,
      isRestored: false,
      disconnect: () => {
        for (const socket of sockets) socket.destroy();
      },
      close: () => {
        fake.disconnect();
        return new Promise((resolve) => server.close(() => resolve()));
      },
    };
    return fake;
  }

  #answer(xid: number, code: number, reader: JuteReader, nodes: Nodes, session: bigint) {
    const header = (error: number): JuteWriter => new JuteWriter().int(xid).long(1n).int(error);
    const changed = new Map(nodes);
    try {
      const answer =
        code === MULTI ? this.#multi(reader, changed, session) : this.#one(code, reader, changed, session);
      const writer = header(0);
      answer(writer);
      return { nodes: changed, frame: writer.frame() };
    } catch (error) {
      if (error instanceof Refusal) return { nodes, frame: header(error.code).frame() };
      throw error;
    }
  }

  #multi(reader: JuteReader, nodes: Map<string, FakeNode>, session: bigint): Answer {
    const before = new Map(nodes);
    const answers: Answer[] = [];
    for (;;) {
      const [type, isDone] = [reader.int(), reader.bool()];
      reader.int();
      if (isDone) break;
      try {
        const answer = this.#one(type, reader, nodes, session);
        answers.push((writer) => {
          writer.int(type).bool(false).int(0);
          answer(writer);
        });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        nodes.clear();
        for (const [path, node] of before) nodes.set(path, node);
        return (writer) =>
          writer.int(-1).bool(false).int(error.code).int(error.code).int(-1).bool(true).int(-1);
      }
    }
    return (writer) => {
      for (const answer of answers) answer(writer);
      writer.int(-1).bool(true).int(-1);
    };
  }

  #one(code: number, reader: JuteReader, nodes: Map<string, FakeNode>, session: bigint): Answer {
    if (code === CLOSE) return () => undefined;
    const path = reader.text();
    const node = nodes.get(path);
    if (code === CREATE || code === CREATE_CONTAINER) {
      const data = reader.buffer();
      reader.list(() => [reader.int(), reader.text(), reader.text()]);
      const flags = reader.int();
      const created = flags === 3 ? `${path}${String(++this.#number).padStart(10, '0')}` : path;
      if (nodes.has(created)) throw new Refusal(NODE_EXISTS);
      if (!nodes.has(parentOf(created))) throw new Refusal(NO_NODE);
      nodes.set(created, { data, version: 0, owner: flags === 1 || flags === 3 ? session : 0n });
      return (writer) => writer.text(created);
    }
    if (node === undefined) throw new Refusal(NO_NODE);
    const check = (): void => {
      const version = reader.int();
      if (version !== -1 && version !== node.version) throw new Refusal(BAD_VERSION);
    };
    switch (code) {
      case EXISTS:
        return stat(node);
      case GET:
        return (writer) => stat(node)(writer.buffer(node.data));
      case CHILDREN: {
        const names = [...nodes.keys()].filter((each) => each !== '/' && parentOf(each) === path);
        return (writer) => {
          writer.int(names.length);
          for (const name of names) writer.text(name.slice(name.lastIndexOf('/') + 1));
        };
      }
      case SET: {
        const data = reader.buffer();
        check();
        const after = { ...node, data, version: node.version + 1 };
        nodes.set(path, after);
        return stat(after);
      }
      case DELETE:
        check();
        nodes.delete(path);
        return () => undefined;
      case CHECK:
        check();
        return () => undefined;
      default:
        throw new Error(`the fake ensemble does not know the request ${code}`);
    }
  }
}

const [CREATE, DELETE, EXISTS, GET, SET, CHILDREN, CHECK] = [1, 2, 3, 4, 5, 8, 13];
const [MULTI, CREATE_CONTAINER, CLOSE] = [14, 19, -11];
const READS: ReadonlySet<number> = new Set([EXISTS, GET, CHILDREN]);

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

const stat =
  ({ version, owner, data }: FakeNode): Answer =>
  (writer) => {
    writer.long(0n).long(0n).long(0n).long(0n).int(version).int(0).int(0);
    writer.long(owner).int(data.length).int(0).long(0n);
  };
