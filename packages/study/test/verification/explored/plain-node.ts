/** One node of a plain explorer: its state as plain values, and its handlers, which are run once for each sequence of draws. */
import { type Automaton, type Decision, type Event, type Fields, handle, type Message } from './automaton.ts';

export const STOPPED = -1;
/** The node has not started by itself since it last crashed. */
export const NEVER = -1;

export interface PlainNode {
  readonly awake: boolean;
  readonly started: boolean;
  readonly dead: boolean;
  readonly decision: Decision | null;
  readonly fields: Fields;
  /** Units until the bell rings. */
  readonly bell: number;
  readonly startedFor: number;
  /** Ascending. */
  readonly led: readonly number[];
}

export interface Sent {
  readonly port: number;
  readonly message: Message;
}

export interface Outcome {
  readonly node: PlainNode;
  readonly sent: readonly Sent[];
  /** The node changed a decision within a term, or went back to an earlier one. */
  readonly isBreach: boolean;
  readonly setsBell: boolean;
}

export const ASLEEP: PlainNode = {
  awake: false,
  started: false,
  dead: false,
  decision: null,
  fields: { level: 0, kept: 0, drawn: 0, best: 0 },
  bell: STOPPED,
  startedFor: NEVER,
  led: [],
};

export interface Surroundings {
  readonly automaton: Automaton;
  readonly id: number;
  readonly outward: readonly number[];
  readonly now: number;
  /** The message that is forwarded, if the event has one. */
  readonly current: Message | null;
}

/** All outcomes of the events, which one step has. */
export function outcomesOf(before: PlainNode, events: readonly Event[], around: Surroundings): Outcome[] {
  const outcomes: Outcome[] = [];
  const pending: (readonly number[])[] = [[]];
  for (let script = pending.pop(); script !== undefined; script = pending.pop()) {
    const drawn: number[] = [];
    const chosen = script;
    outcomes.push(
      outcomeOf(before, events, around, (sides) => {
        const k = drawn.length;
        if (k >= chosen.length) for (let other = 2; other <= sides; other++) pending.push([...drawn, other]);
        drawn.push(chosen[k] ?? 1);
        return drawn[k];
      }),
    );
  }
  return outcomes;
}

function outcomeOf(
  before: PlainNode,
  events: readonly Event[],
  { automaton, current, id, now, outward }: Surroundings,
  random: (sides: number) => number,
): Outcome {
  const fields = { ...before.fields };
  const led = new Set(before.led);
  const sent: Sent[] = [];
  let { bell, decision } = before;
  let isBreach = false;
  let setsBell = false;
  for (const event of events) {
    handle(automaton, event, fields, {
      id,
      outward,
      now,
      random,
      send: (port, message) => sent.push({ port, message }),
      forward: (port) => sent.push({ port, message: current as Message }),
      setTimer: (units) => {
        bell = units;
        setsBell = true;
      },
      clearTimer: () => {
        bell = STOPPED;
        setsBell = true;
      },
      decide: ({ leader, leads, term }) => {
        const isSame =
          decision !== null &&
          decision.term === term &&
          decision.leads === leads &&
          decision.leader === leader;
        if (isSame) return;
        if (decision !== null && term <= decision.term) isBreach = true;
        if (leads) led.add(term);
        decision = { leads, leader, term };
      },
    });
  }
  const node = { ...before, fields, bell, decision, led: [...led].sort((a, b) => a - b) };
  return { node, sent, isBreach, setsBell };
}

export function crashed({ fields, led }: PlainNode): PlainNode {
  return { ...ASLEEP, dead: true, fields: { ...ASLEEP.fields, best: fields.best }, led };
}
