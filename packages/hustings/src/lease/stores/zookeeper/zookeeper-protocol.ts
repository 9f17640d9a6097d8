/** The requests of ZooKeeper that the store needs, and their answers. */
import { type JuteReader, JuteWriter } from './jute.ts';

/** What the server says about a node. */
export interface NodeStat {
  /** When the node was written, by the clock of the leader at that time. */
  readonly modifiedMs: number;
  readonly version: number;
  /** The id of the session whose end deletes the node; 0 if none does. */
  readonly ephemeralOwner: bigint;
}

/** persistent: 0, ephemeral: 1, ephemeral and with a number appended: 3. */
export type CreateFlags = 0 | 1 | 3;

/** The operations of a transaction. A version of -1 fits every node. */
export type NodeOperation =
  | { readonly type: 'check'; readonly path: string; readonly version: number }
  | { readonly type: 'create'; readonly path: string; readonly data: string; readonly flags: CreateFlags }
  | { readonly type: 'delete'; readonly path: string; readonly version: number }
  | { readonly type: 'set'; readonly path: string; readonly data: string; readonly version: number };

const CODES = { create: 1, delete: 2, set: 5, check: 13 } as const;

/** A request and how to read its answer. */
export interface ZookeeperRequest<Answer> {
  readonly code: number;
  encode(writer: JuteWriter): void;
  decode(reader: JuteReader): Answer;
}

/** An error that the server answered with. Its codes are those of the protocol. */
export class ZookeeperAnswerError extends Error {
  constructor(readonly code: number) {
    super(`ZooKeeper answered with error ${code}`);
  }
}

export const NO_NODE = -101;
export const NO_AUTH = -102;
export const BAD_VERSION = -103;
export const NODE_EXISTS = -110;
export const NOT_EMPTY = -111;
export const SESSION_EXPIRED = -112;
export const AUTH_FAILED = -115;
export const SESSION_MOVED = -118;
/** The codes of the operations of a transaction before the one that failed, and after it. */
const NOT_DONE: readonly number[] = [0, -2];

/** Who may use new nodes: everybody, or only a user with the digest of this session. */
export type NodeAccess = 'everybody' | 'creator';

const ALL_RIGHTS = 31;

export class ZookeeperRequests {
  readonly #access: NodeAccess;

  constructor(access: NodeAccess) {
    this.#access = access;
  }

  /** Null if there is no such node. A watch reports the next change of the node's data or existence. */
  exists(path: string, watches = false): ZookeeperRequest<NodeStat | null> {
    return {
      code: 3,
      encode: (writer) => writer.text(path).bool(watches),
      decode: readStat,
    };
  }

  get(path: string): ZookeeperRequest<{ readonly data: string; readonly stat: NodeStat }> {
    return {
      code: 4,
      encode: (writer) => writer.text(path).bool(false),
      decode: (reader) => ({ data: reader.text(), stat: readStat(reader) }),
    };
  }

  /** A watch reports the next change of the node's data. */
  watchData(path: string): ZookeeperRequest<unknown> {
    return { ...this.get(path), encode: (writer) => writer.text(path).bool(true) };
  }

  set(path: string, data: string): ZookeeperRequest<NodeStat> {
    return { code: CODES.set, encode: (writer) => writer.text(path).text(data).int(-1), decode: readStat };
  }

  children(path: string): ZookeeperRequest<string[]> {
    return {
      code: 8,
      encode: (writer) => writer.text(path).bool(false),
      decode: (reader) => reader.list(() => reader.text()),
    };
  }

  /** Answers with the path, which has a number appended if the flags ask for one. */
  create(path: string, flags: CreateFlags): ZookeeperRequest<string> {
    return {
      code: CODES.create,
      encode: (writer) => this.#encodeCreate(writer, path, '', flags),
      decode: (reader) => reader.text(),
    };
  }

  /** A node that the server deletes some time after its last child. */
  createContainer(path: string): ZookeeperRequest<string> {
    return {
      code: 19,
      encode: (writer) => this.#encodeCreate(writer, path, '', 4),
      decode: (reader) => reader.text(),
    };
  }

  delete(path: string): ZookeeperRequest<unknown> {
    return { code: CODES.delete, encode: (writer) => writer.text(path).int(-1), decode: () => undefined };
  }

  /** All operations or none. Fails with the error of the first that failed. */
  transaction(operations: readonly NodeOperation[]): ZookeeperRequest<void> {
    return {
      code: 14,
      encode: (writer) => {
        for (const operation of operations) this.#encodeOperation(writer, operation);
        writer.int(-1).bool(true).int(-1);
      },
      decode: readTransaction,
    };
  }

  #encodeOperation(writer: JuteWriter, operation: NodeOperation): void {
    const { type, path } = operation;
    writer.int(CODES[type]).bool(false).int(-1);
    if (type === 'create') this.#encodeCreate(writer, path, operation.data, operation.flags);
    else if (type === 'set') writer.text(path).text(operation.data).int(operation.version);
    else writer.text(path).int(operation.version);
  }

  #encodeCreate(writer: JuteWriter, path: string, data: string, flags: number): void {
    writer.text(path).text(data).int(1).int(ALL_RIGHTS);
    if (this.#access === 'creator') writer.text('auth').text('');
    else writer.text('world').text('anyone');
    writer.int(flags);
  }
}

function readStat(reader: JuteReader): NodeStat {
  for (let skipped = 0; skipped < 3; skipped++) reader.long();
  const modifiedMs = Number(reader.long());
  const version = reader.int();
  reader.int();
  reader.int();
  const ephemeralOwner = reader.long();
  reader.int();
  reader.int();
  reader.long();
  return { modifiedMs, version, ephemeralOwner };
}

function readTransaction(reader: JuteReader): void {
  for (;;) {
    const [type, isDone] = [reader.int(), reader.bool()];
    reader.int();
    if (isDone) return;
    if (type === CODES.create) reader.text();
    else if (type === CODES.set) readStat(reader);
    else if (type === -1) {
      const code = reader.int();
      if (!NOT_DONE.includes(code)) throw new ZookeeperAnswerError(code);
    }
  }
}

/** The types of the requests that the connection makes by itself. */
const AUTHENTICATE = 100;
export const CLOSE_SESSION = -11;

export const encodeRequest = (xid: number, { code, encode }: ZookeeperRequest<unknown>): Buffer => {
  const writer = new JuteWriter().int(xid).int(code);
  encode(writer);
  return writer.frame();
};

/** A request that every server answers, and everybody may make. */
export const NOTHING: ZookeeperRequest<unknown> = {
  code: 3,
  encode: (writer) => writer.text('/').bool(false),
  decode: () => undefined,
};

/** The numbers of messages that are no answers to numbered requests. */
export const XID = { notification: -1, authentication: -4 } as const;

/** Logs in with a user and a password. */
export function authentication(digest: string): Buffer {
  const head = new JuteWriter().int(XID.authentication).int(AUTHENTICATE).int(0);
  return head.text('digest').buffer(Buffer.from(digest)).frame();
}
