/**
 * The state machine of a node, as the state graph of a small instance shows it: the reachable values of its choices and
 * flags, and every event that leads from one to another. Numbers, ids and lists are left out. Nothing is shown that does not
 * happen in the instance.
 */
import { InputError } from '../../kernel/errors.ts';
import type { Field } from '../../kernel/field.ts';
import { isTransition, type TraceEvent } from '../../kernel/trace.ts';
import type { NodeView } from '../../kernel/world/node-view.ts';
import type { StateGraph } from './state-graph.ts';

/** A state of the machine. */
export interface MachineState {
  /** The values of choices, the names of flags that are set, then the decision. */
  readonly lines: readonly string[];
  readonly isInitial: boolean;
  readonly decision: 'leader' | 'follower' | null;
  readonly isDead: boolean;
}

/** A transition: what the node received or what else happened, and the types of messages that it sent. */
export interface MachineTransition {
  readonly from: number;
  readonly to: number;
  readonly trigger: string;
  readonly sent: readonly string[];
}

/** The states and transitions of one node. */
export interface NodeMachine {
  readonly states: readonly MachineState[];
  readonly transitions: readonly MachineTransition[];
  /** The fields that distinguish the states. */
  readonly fields: readonly string[];
}

const MAX_STATES = 16;
/** With more flags at a time, states show choices only. */
const MAX_LINES = 5;

/** Projects a state graph to a node; all nodes have the same machine. */
export function nodeMachine(graph: StateGraph): NodeMachine {
  const declared = Object.entries(graph.setup.algorithm.state as Record<string, Field<unknown>>);
  const choices = declared.filter(([, { kind }]) => kind === 'choice').map(([name]) => name);
  const flags = declared.filter(([, { kind }]) => kind === 'flag').map(([name]) => name);
  const full = machineOf(graph, [...choices, ...flags]);
  const isReadable = full.states.every(({ lines }) => lines.length <= MAX_LINES);
  if (full.states.length <= MAX_STATES && isReadable) return full;
  const coarse = machineOf(graph, choices);
  if (coarse.states.length <= MAX_STATES) return coarse;
  throw new InputError(
    `the state machine of ${graph.setup.algorithm.name} has ${coarse.states.length} states, and at most ${MAX_STATES} are drawn`,
  );
}

function machineOf({ setup, states, edges }: StateGraph, fields: readonly string[]): NodeMachine {
  const found = new Map<string, MachineState & { readonly number: number }>();
  const initial = new Set(
    states[0].nodes.slice(0, setup.nodes).map((node) => linesOf(node, fields).join('\n')),
  );
  const numberOf = (node: NodeView): number => {
    const lines = linesOf(node, fields);
    const key = lines.join('\n');
    const known = found.get(key);
    if (known !== undefined) return known.number;
    const number = found.size;
    const decision = node.decision?.role ?? null;
    found.set(key, { number, lines, isInitial: initial.has(key), decision, isDead: node.status === 'dead' });
    return number;
  };
  for (const node of states[0].nodes.slice(0, setup.nodes)) numberOf(node);
  const transitions = new Map<string, MachineTransition>();
  for (const { from, to, events } of edges) {
    for (let at = 0; at < setup.nodes; at++) {
      const own = events.filter(({ node }) => node === at);
      const triggers = own.filter(isTransition).map(triggerOf);
      if (triggers.length === 0) continue;
      const sent = [...new Set(own.flatMap((event) => (event.type === 'send' ? [event.message.type] : [])))];
      const transition = {
        from: numberOf(states[from].nodes[at]),
        to: numberOf(states[to].nodes[at]),
        trigger: [...new Set(triggers)].join(' + '),
        sent,
      };
      transitions.set(JSON.stringify(transition), transition);
    }
  }
  const machine = [...found.values()].map(({ number: _, ...state }) => state);
  return { states: machine, transitions: [...transitions.values()], fields };
}

/** A node that is asleep has its initial fields. */
function linesOf({ status, decision, state }: NodeView, fields: readonly string[]): string[] {
  if (status === 'dead') return ['crashed'];
  const values = fields.flatMap((name) => {
    const value = state[name];
    return typeof value === 'boolean' ? (value ? [name] : []) : [String(value)];
  });
  const decided = decision === null ? [] : [decision.role];
  const lines = [...new Set([...values, ...decided])];
  if (status === 'asleep') return ['asleep', ...lines];
  return lines.length === 0 ? ['awake'] : lines;
}

function triggerOf(event: TraceEvent): string {
  if (event.type === 'deliver') return event.message.type;
  if (event.type === 'undelivered') return `${event.message.type} undelivered`;
  return event.type === 'timer' ? `timer ${event.timer}` : event.type;
}
