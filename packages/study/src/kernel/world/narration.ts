/** Narrates a step: the event, and the effects of its handler. */
import { formatFields, formatMessage, type TraceEvent } from '../trace.ts';
import { isMessageStep, type Step } from './step.ts';

/** `events` are those of the outcome of the step; `ids` is null in an anonymous network. */
export function narrateStep(step: Step, events: readonly TraceEvent[], ids: Int32Array | null): string {
  if (step.type === 'tick') return 'one unit of time passes';
  if (step.type === 'round') return `a round: ${tellRound(events, ids)}`;
  if (isMessageStep(step) && step.type === 'duplicate')
    return `${step.message} from node ${step.from} to node ${step.to} is duplicated`;
  // A message may start an initiator that is asleep: the message is the cause of both events.
  const causeAt = Math.max(
    0,
    events.findIndex(({ type }) => type === 'deliver'),
  );
  const cause = events[causeAt];
  if (cause === undefined) return 'a message did not arrive, and its sender has crashed too';
  const effects = events.filter((_, at) => at !== causeAt);
  const done = effects.map(tellEffect);
  return `${tellCause(cause, ids)}${done.length === 0 ? '' : `: ${done.join(', ')}`}`;
}

function tellRound(events: readonly TraceEvent[], ids: Int32Array | null): string {
  if (events.length === 0) return 'nothing arrives';
  const isEffect = ({ type }: TraceEvent): boolean =>
    type === 'send' || type === 'decide' || type === 'state';
  return events.map((event) => (isEffect(event) ? tellEffect(event) : tellCause(event, ids))).join('; ');
}

function tellCause(event: TraceEvent, ids: Int32Array | null): string {
  const who =
    ids?.[event.node] === undefined ? `node ${event.node}` : `node ${event.node} (id ${ids[event.node]})`;
  switch (event.type) {
    case 'start':
      return `${who} starts`;
    case 'crash':
      return `${who} crashes`;
    case 'recover':
      return `${who} recovers`;
    case 'timer':
      return `${who} times out (${event.timer})`;
    case 'deliver':
      return `${who} receives ${formatMessage(event.message)} from node ${event.from}`;
    case 'undelivered':
      return `${who} learns that ${formatMessage(event.message)} did not reach node ${event.from}`;
    case 'lost': {
      const message = `${formatMessage(event.message)} from node ${event.from}`;
      return event.reason === 'receiver dead'
        ? `${message} reaches node ${event.node}, which has crashed`
        : `${message} to node ${event.node} is lost`;
    }
    default:
      return tellEffect(event);
  }
}

function tellEffect(event: TraceEvent): string {
  if (event.type === 'send') return `sends ${formatMessage(event.message)} to node ${event.to}`;
  if (event.type === 'start') return 'starts';
  if (event.type === 'state') return `is in the state ${formatFields(event.state)}`;
  if (event.type !== 'decide') return tellCause(event, null);
  const term = event.term > 0 ? ` of term ${event.term}` : '';
  if (event.role === 'leader') return `becomes the leader${term}`;
  return `becomes a follower${event.leader === null ? '' : ` of ${event.leader}`}${term}`;
}
