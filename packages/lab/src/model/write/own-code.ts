/** What the sandbox is asked about an algorithm that a reader wrote, and what it answers. */
import type { TraceEvent } from '@hustings/study/kernel';

/** What the sandbox does: a run and searches of networks of 2 nodes up to `upTo`. */
export interface OwnCodeRequest {
  /** The code as a script that calls `ownCode` with a function; see compile.ts. */
  readonly plain: string;
  /** The same with a call before each statement. */
  readonly probed: string;
  readonly upTo: number;
  /** Reports each handler before it is called, to find the one that does not return. */
  readonly isDiagnosis: boolean;
}

/** A node of the counterexample after a step. */
export interface TrailNode {
  readonly role: string;
  readonly state: string;
}

/** A step of the counterexample. */
export interface TrailStep {
  readonly text: string;
  /** The lines that it ran, ascending. */
  readonly lines: readonly number[];
  readonly nodes: readonly TrailNode[];
  /** Messages in flight after it. */
  readonly messages: readonly string[];
  /** The number of events up to the end of the step. */
  readonly events: number;
  readonly violation: string | null;
}

/** A counterexample as data. */
export interface Trail {
  readonly property: string;
  readonly text: string;
  readonly network: string;
  /** By position; null in an anonymous network. */
  readonly ids: readonly number[] | null;
  readonly n: number;
  readonly announcements: readonly string[];
  readonly upkeep: readonly string[];
  /** Without states; times are numbers of steps. */
  readonly events: readonly TraceEvent[];
  readonly steps: readonly TrailStep[];
}

/** Stands for handlers whose calls are too many to be reported. */
export const ANY_HANDLER = '*';

/** One message of the sandbox. */
export type OwnCodeReply =
  | { readonly type: 'alive'; readonly states: number }
  | { readonly type: 'enter'; readonly handler: string }
  | {
      readonly type: 'failed';
      readonly stage: 'load' | 'run' | 'check';
      readonly text: string;
      readonly line: number | null;
    }
  | {
      readonly type: 'ran';
      readonly name: string;
      readonly title: string;
      readonly network: string;
      readonly n: number;
      readonly messages: number;
      /** The name of the leader; null if there is none. */
      readonly leader: string | null;
    }
  | {
      readonly type: 'checked';
      readonly n: number;
      readonly states: number;
      readonly transitions: number;
      readonly ms: number;
      readonly kind: 'holds' | 'violated' | 'unknown';
      readonly text: string;
      readonly trail: Trail | null;
    }
  /** A network of this size does not suit the algorithm. */
  | { readonly type: 'skipped'; readonly n: number; readonly text: string }
  | { readonly type: 'done' }
  /** From the frame around the worker. */
  | { readonly type: 'died'; readonly text: string };

/** The longest text that is shown. */
const MAX_TEXT = 600;
const MAX_NODES = 12;
const MAX_STEPS = 2000;
const MAX_EVENTS = 20_000;

type Guard<T> = (value: unknown) => value is T;

const isText: Guard<string> = (value): value is string =>
  typeof value === 'string' && value.length <= MAX_TEXT;
const isCount: Guard<number> = (value): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isTime: Guard<number> = (value): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
const orNull =
  <T>(guard: Guard<T>): Guard<T | null> =>
  (value): value is T | null =>
    value === null || guard(value);
const oneOf =
  <T extends string>(...values: readonly T[]): Guard<T> =>
  (value): value is T =>
    values.includes(value as T);
const listOf =
  <T>(guard: Guard<T>, most: number): Guard<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.length <= most && value.every((each) => guard(each));

type Shape = Readonly<Record<string, Guard<unknown>>>;

/** True for an object that has exactly these properties, its own. */
function hasShape(value: unknown, shape: Shape): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value);
  return (
    names.length === Object.keys(shape).length &&
    names.every((name) => Object.hasOwn(shape, name) && shape[name]((value as Record<string, unknown>)[name]))
  );
}

/** A field of a message. */
const isValue: Guard<unknown> = (value): value is unknown =>
  isText(value) ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  listOf(isTime, 100)(value);

const NAME = /^[A-Za-z][\w-]{0,60}$/;

const isMessage: Guard<unknown> = (value): value is unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fields = Object.entries(value);
  const type = (value as { type?: unknown }).type;
  return (
    typeof type === 'string' &&
    NAME.test(type) &&
    fields.length <= 30 &&
    fields.every(([name, each]) => NAME.test(name) && isValue(each))
  );
};

function eventGuard(n: number): Guard<TraceEvent> {
  const isNode: Guard<number> = (value): value is number => isCount(value) && value < n;
  const base = { time: isTime, node: isNode, type: isText };
  const shapes: Readonly<Record<string, Shape>> = {
    start: base,
    crash: base,
    recover: base,
    timer: { ...base, timer: isText },
    send: { ...base, to: isNode, port: isCount, message: isMessage },
    deliver: { ...base, from: isNode, port: isCount, sent: isTime, message: isMessage },
    undelivered: { ...base, from: isNode, port: isCount, sent: isTime, message: isMessage },
    lost: {
      ...base,
      from: isNode,
      sent: isTime,
      reason: oneOf('receiver dead', 'link lossy', 'network partitioned'),
      message: isMessage,
    },
    decide: { ...base, role: oneOf('leader', 'follower'), leader: orNull(isTime), term: isCount },
  };
  return (value): value is TraceEvent => {
    const { type } = (value ?? {}) as { type?: unknown };
    return typeof type === 'string' && Object.hasOwn(shapes, type) && hasShape(value, shapes[type]);
  };
}

const isTrail: Guard<Trail> = (value): value is Trail => {
  const { n } = (value ?? {}) as { n?: unknown };
  if (!isCount(n) || n < 1 || n > MAX_NODES) return false;
  const isStep: Guard<unknown> = (step): step is unknown =>
    hasShape(step, {
      text: isText,
      lines: listOf(isCount, 2000),
      nodes: (nodes): nodes is unknown =>
        listOf((node): node is unknown => hasShape(node, { role: isText, state: isText }), n)(nodes) &&
        nodes.length === n,
      messages: listOf(isText, 500),
      events: isCount,
      violation: orNull(isText),
    });
  return hasShape(value, {
    property: isText,
    text: isText,
    network: isText,
    ids: orNull(
      (ids): ids is unknown =>
        listOf((id): id is number => Number.isSafeInteger(id), n)(ids) && ids.length === n,
    ),
    n: isCount,
    announcements: listOf(isText, 100),
    upkeep: listOf(isText, 100),
    events: listOf(eventGuard(n), MAX_EVENTS),
    steps: listOf(isStep, MAX_STEPS),
  });
};

const type: Guard<unknown> = isText;
const SHAPES: Readonly<Record<OwnCodeReply['type'], Shape>> = {
  alive: { type, states: isCount },
  enter: { type, handler: isText },
  failed: { type, stage: oneOf('load', 'run', 'check'), text: isText, line: orNull(isCount) },
  ran: {
    ...{ type, name: isText, title: isText, network: isText },
    ...{ n: isCount, messages: isCount, leader: orNull(isText) },
  },
  checked: {
    ...{ type, n: isCount, states: isCount, transitions: isCount, ms: isTime },
    ...{ kind: oneOf('holds', 'violated', 'unknown'), text: isText, trail: orNull(isTrail) },
  },
  skipped: { type, n: isCount, text: isText },
  done: { type },
  died: { type, text: isText },
};

/** What came out of the sandbox, or null if it is no reply: code in it may send anything. */
export function readReply(value: unknown): OwnCodeReply | null {
  const { type: given } = (typeof value === 'object' && value !== null ? value : {}) as { type?: unknown };
  if (typeof given !== 'string' || !Object.hasOwn(SHAPES, given)) return null;
  return hasShape(value, SHAPES[given as OwnCodeReply['type']]) ? (value as OwnCodeReply) : null;
}

/** Cuts a text to what readReply accepts. */
export function shortText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
}
