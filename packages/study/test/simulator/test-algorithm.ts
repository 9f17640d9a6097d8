/** Small algorithms defined within a test, and runs of them that are observed but not checked for validity. */
import type { AnyAlgorithm, Assumptions, Fields, Messages, Params } from '../../src/kernel/index.ts';
import { formatEvent, Run, type SimulateOptions, type TraceEvent } from '../../src/simulator/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test algorithm may also do what the types forbid
type Loose = any;

/** A context with all capabilities, without types. */
export interface Ctx {
  readonly id: number;
  readonly n: number;
  readonly now: number;
  readonly initiator: boolean;
  readonly degree: number;
  readonly params: Loose;
  neighbour(port: number): number;
  send(port: number, type: string, ...fields: unknown[]): void;
  forward(port: number): void;
  setTimer(name: string, units: number): void;
  clearTimer(name: string): void;
  random(k: number): number;
  decide(role: string, leader?: number, term?: number): void;
}

export interface TestAlgorithm {
  readonly assumes?: Partial<Assumptions>;
  readonly trigger?: AnyAlgorithm['trigger'];
  readonly startOnMessage?: AnyAlgorithm['startOnMessage'];
  readonly params?: Params;
  readonly state?: Fields;
  readonly messages?: Messages;
  readonly timers?: readonly string[];
  readonly invariants?: AnyAlgorithm['invariants'];
  onStart?(state: Loose, ctx: Ctx): void;
  readonly on?: Readonly<Record<string, (state: Loose, port: number, message: Loose, ctx: Ctx) => unknown>>;
  onTimer?(state: Loose, timer: string, ctx: Ctx): void;
  onUndelivered?(state: Loose, port: number, message: Loose, ctx: Ctx): void;
  onRestart?(state: Loose, ctx: Ctx): void;
}

/** An algorithm that tolerates all faults; omitted parts do nothing. */
export function testAlgorithm({
  assumes,
  messages = {},
  on = {},
  timers,
  onTimer,
  ...parts
}: TestAlgorithm): AnyAlgorithm {
  const handlers = Object.keys(messages).map((type) => [type, on[type] ?? (() => undefined)]);
  return {
    name: 'trial',
    title: 'TestAlgorithm',
    source: 'none',
    cost: '0',
    assumes: {
      network: 'connected',
      timing: 'asynchronous',
      ids: 'unique',
      fifo: false,
      knows: ['neighbours'],
      faults: ['crash', 'recover', 'loss', 'duplication', 'partition'],
      ...assumes,
    },
    params: {},
    state: {},
    laws: [],
    onStart: () => undefined,
    messages,
    on: Object.fromEntries(handlers),
    ...(timers && { timers, onTimer: onTimer ?? (() => undefined) }),
    ...parts,
  } as unknown as AnyAlgorithm;
}

/** All events of a run, without a check of validity. */
export function eventsOf(algorithm: AnyAlgorithm, options: SimulateOptions): TraceEvent[] {
  const events: TraceEvent[] = [];
  const run = new Run(algorithm, { ...options, observe: (event) => events.push(event) });
  while (!run.advance());
  return events;
}

export function traceOf(algorithm: AnyAlgorithm, options: SimulateOptions): string[] {
  return eventsOf(algorithm, options).map(formatEvent);
}

/** The deliveries and other requested events, as lines. */
export function linesOf(
  algorithm: AnyAlgorithm,
  options: SimulateOptions,
  kinds: readonly TraceEvent['type'][],
): string[] {
  return eventsOf(algorithm, options)
    .filter(({ type }) => kinds.includes(type))
    .map(formatEvent);
}
