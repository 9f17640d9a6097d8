/**
 * A step: one atomic change of a configuration, as data for drivers, and as one line of text for counterexample files, links
 * and logs.
 *
 * A step may leave out details: `deliver 0 > 1 token id=4` names no port and no random draws. Then it can mean more than
 * one step; `World.matching` lists them. With details the text is `deliver 0 > 1 token id=4 (port 1; age 2; draws 3 1)`.
 */
import type { Breach } from '../decisions.ts';
import { InputError } from '../errors.ts';
import type { TraceEvent } from '../trace.ts';
import type { NodeSnapshot } from './node-step.ts';

/** One atomic change of a configuration. */
export type Step = {
  /** The outcomes of all calls of `random` in this step, in order. */
  readonly draws?: readonly number[] | undefined;
} & (NodeStep | TimeStep | TimerStep | MessageStep);

/** A start, a crash or a recovery. */
export interface NodeStep {
  readonly type: 'start' | 'crash' | 'recover';
  readonly node: number;
}

/** Bounded delay: one unit of time passes. Synchronous: one round. */
export interface TimeStep {
  readonly type: 'tick' | 'round';
}

/** A timer that fires. */
export interface TimerStep {
  readonly type: 'timer';
  readonly node: number;
  readonly timer: string;
}

/** `notice` tells the sender that the receiver had crashed. */
export interface MessageStep {
  readonly type: 'deliver' | 'lose' | 'duplicate' | 'notice';
  readonly from: number;
  readonly to: number;
  /** Type and fields. */
  readonly message: string;
  /** The port of the receiver. Needed if several links join the two nodes. */
  readonly port?: number | undefined;
  /** Units since the message was sent. Needed if messages on a link can overtake one another. */
  readonly age?: number | undefined;
}

/** The result of a step. */
export interface StepOutcome {
  /** The step with its random draws: applied to the same configuration it does the same. */
  readonly step: Step;
  /** In order; times are numbers of steps. */
  readonly events: readonly TraceEvent[];
  /** The error of a handler that threw. Its node is unchanged, and its messages are not sent. */
  readonly failure: { readonly node: number; readonly error: unknown } | null;
  /** A node changed its decision within a term. */
  readonly breach: Breach | null;
  /** Every call of a handler, in order: its node before and after it. A round calls many. */
  readonly changes: readonly {
    readonly node: number;
    readonly before: NodeSnapshot;
    readonly after: NodeSnapshot;
  }[];
}

/** Weak fairness does not apply to faults: they may happen, but need not. */
export function isFaultStep({ type }: Step): boolean {
  return type === 'crash' || type === 'recover' || type === 'lose' || type === 'duplicate';
}

/** Whether a step is about a message. */
export function isMessageStep(step: Step): step is Step & MessageStep {
  return 'message' in step;
}

/** A step as one line of text. */
export function formatStep(step: Step): string {
  const details = isMessageStep(step) ? { port: step.port, age: step.age } : {};
  const shown = Object.entries({ ...details, draws: step.draws?.join(' ') || undefined })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`);
  return formatBare(step) + (shown.length === 0 ? '' : ` (${shown.join('; ')})`);
}

function formatBare(step: Step): string {
  if (isMessageStep(step)) return `${step.type} ${step.from} > ${step.to} ${step.message}`;
  if (step.type === 'timer') return `timer ${step.node} ${step.timer}`;
  return 'node' in step ? `${step.type} ${step.node}` : step.type;
}

const DETAILS = / \(((?:(?:port|age) \d+|draws \d+(?: \d+)*)(?:; (?:age \d+|draws \d+(?: \d+)*))*)\)$/;

/** Parses the text of a step. */
export function parseStep(text: string): Step {
  const [ending, details] = DETAILS.exec(text) ?? ['', ''];
  const numbers = new Map(
    details.split('; ').map((detail) => {
      const [name, ...values] = detail.split(' ');
      return [name, values.map(Number)];
    }),
  );
  const draws = numbers.get('draws');
  const step = parseBare(text.slice(0, text.length - ending.length));
  const [port, age] = [numbers.get('port')?.[0], numbers.get('age')?.[0]];
  if (step === null || (!isMessageStep(step) && (port ?? age) !== undefined)) {
    throw new InputError(`a step must be like 'start 0' or 'deliver 0 > 1 token id=4', not '${text}'`);
  }
  return {
    ...step,
    ...(port !== undefined && { port }),
    ...(age !== undefined && { age }),
    ...(draws && { draws }),
  };
}

function parseBare(text: string): Step | null {
  if (text === 'tick' || text === 'round') return { type: text };
  const [, type, node] = /^(start|crash|recover) (\d+)$/.exec(text) ?? [];
  if (type !== undefined) return { type: type as NodeStep['type'], node: Number(node) };
  const [, owner, timer] = /^timer (\d+) (\S+)$/.exec(text) ?? [];
  if (timer !== undefined) return { type: 'timer', node: Number(owner), timer };
  const [, act, from, to, message] =
    /^(deliver|lose|duplicate|notice) (\d+) > (\d+) (\S.*)$/.exec(text) ?? [];
  if (act === undefined) return null;
  return { type: act as MessageStep['type'], from: Number(from), to: Number(to), message };
}
