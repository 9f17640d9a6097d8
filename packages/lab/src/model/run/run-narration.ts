/** What has just happened, in one or two sentences. Derived from the steps and their events. */
import { capitalized, formatFigure } from '@hustings/base';
import type { TraceEvent } from '@hustings/study/kernel';
import type { RunModel } from './run-model.ts';
import type { RunStep } from './run-step.ts';
import { messageText, nodeName } from './step-effect.ts';

/** Tells the steps from a position up to the cursor; by default the last one. */
export function narrate(model: RunModel, from = model.position - 1): string {
  const { position } = model;
  if (position === 0) return opening(model);
  const steps = model.steps.slice(Math.max(0, from), position);
  const narration = steps.length === 1 ? tellStep(model, steps[0]) : tellMany(model, steps);
  const { isOver, violation } = model.snapshot();
  if (steps.some((step) => step.violation !== null) && violation !== null)
    return `${narration} This violates ${violation.property}: ${named(model, violation.text)}.`;
  return isOver || (model.branch.parent === null && position === model.length)
    ? `${narration} ${ending(model)}`
    : narration;
}

/** Replaces positions by ids: 'node 1' becomes 'id 3'. */
function named({ world }: RunModel, text: string): string {
  return text
    .replace(/\bnodes (\d+) and (\d+)/g, 'node $1 and node $2')
    .replace(/\bnode (\d+)/g, (_, position: string) => nodeName(world, Number(position)))
    .replace(/ of term 0\b/g, '')
    .replace(/, which (.*) has led already/, ', and $1 leads already');
}

function opening({ plan, world }: RunModel): string {
  const count = plan.initiators.length;
  const who =
    count === plan.nodes
      ? 'All nodes'
      : count === 1
        ? capitalized(nodeName(world, plan.initiators[0]))
        : `${count} nodes`;
  return `Nothing has happened yet. ${who} will start${count === 1 ? 's' : ''}.`.replace(
    'will starts',
    'will start',
  );
}

function ending(model: RunModel): string {
  const { judgement, nodes } = model.snapshot();
  const sent = Object.values(model.trace().sentBefore(model.position)).reduce((sum, count) => sum + count, 0);
  const cost = `${formatFigure(sent)} ${sent === 1 ? 'message' : 'messages'}`;
  if (judgement.fault !== null)
    return `The run ends after ${cost}, and ${named(model, judgement.fault.text)}.`;
  if (judgement.leader === null) return `The run ends after ${cost}.`;
  const others = nodes.filter(({ isDead, position }) => !isDead && position < model.plan.nodes).length - 1;
  const known = others > 0 ? ', and all others follow' : '';
  return `The election is over: ${nodeName(model.world, judgement.leader)} leads${known}. It took ${cost}.`;
}

function tellStep(model: RunModel, { effect, events, step }: RunStep): string {
  const { world } = model;
  if (step.type === 'tick') return 'One unit of time passes.';
  if (step.type === 'round')
    return `Round ${world.configuration.clock}: ${effect.effect}.${decisions(model, events)}`;
  const causeAt = Math.max(
    0,
    events.findIndex(({ type }) => type === 'deliver'),
  );
  const cause = events[causeAt];
  if (step.type === 'duplicate') {
    const copied = world.configuration.messages.find(
      ({ text, to }) => text === step.message && to === step.to,
    );
    const what = copied === undefined ? step.message : messageText(copied.message);
    return `${capitalized(what)} to ${nodeName(world, step.to)} is duplicated.`;
  }
  if (cause === undefined) return 'A message did not arrive, and its sender has crashed too.';
  return `${capitalized(tellCause(model, cause))}${tellEffect(effect)}.`;
}

function tellCause({ world }: RunModel, event: TraceEvent): string {
  const who = nodeName(world, event.node);
  switch (event.type) {
    case 'deliver':
      return `${messageText(event.message)} reaches ${who}`;
    case 'undelivered':
      return `${who} learns that ${messageText(event.message)} did not reach ${nodeName(world, event.from)}`;
    case 'lost':
      return event.reason === 'receiver dead'
        ? `${messageText(event.message)} reaches ${who}, which has crashed`
        : `${messageText(event.message)} to ${who} is lost`;
    case 'timer':
      return `timer ${event.timer} of ${who} fires`;
    default:
      return `${who} ${{ start: 'starts', crash: 'crashes', recover: 'recovers', state: '', send: '', decide: '' }[event.type]}`;
  }
}

function tellEffect({ effect, kind }: RunStep['effect']): string {
  if (effect === '' || kind === 'lost') return '';
  if (kind === 'passes on') return effect.replace('passes on', ' and goes on');
  if (kind === 'swallowed') return effect.replace('swallowed', ' and ends there');
  return `: it ${effect}`;
}

/** Steps of one instant together. */
function tellMany(model: RunModel, steps: readonly RunStep[]): string {
  const events = steps.flatMap((step) => step.events);
  const count = (type: TraceEvent['type']): number => events.filter((event) => event.type === type).length;
  const kinds = (kind: RunStep['effect']['kind']): number =>
    steps.filter(({ effect }) => effect.kind === kind).length;
  const arrived = count('deliver');
  const starts = count('start');
  const parts = [
    ...(starts > 0 ? [`${starts} ${starts === 1 ? 'node starts' : 'nodes start'}`] : []),
    ...(arrived > 0 ? [`${arrived} ${arrived === 1 ? 'message arrives' : 'messages arrive'}`] : []),
    ...(kinds('passes on') > 0
      ? [`${kinds('passes on')} ${kinds('passes on') === 1 ? 'goes' : 'go'} on`]
      : []),
    ...(kinds('swallowed') > 0
      ? [`${kinds('swallowed')} ${kinds('swallowed') === 1 ? 'ends' : 'end'} there`]
      : []),
    ...(count('timer') > 0
      ? [`${count('timer')} ${count('timer') === 1 ? 'timer fires' : 'timers fire'}`]
      : []),
    ...(count('lost') > 0 ? [`${count('lost')} ${count('lost') === 1 ? 'is' : 'are'} lost`] : []),
    ...(count('crash') > 0
      ? [`${count('crash')} ${count('crash') === 1 ? 'node crashes' : 'nodes crash'}`]
      : []),
  ];
  return `${capitalized(parts.length === 0 ? 'time passes' : parts.join(', '))}.${decisions(model, events)}`;
}

function decisions({ world }: RunModel, events: readonly TraceEvent[]): string {
  const leaders = events.filter((event) => event.type === 'decide' && event.role === 'leader');
  return leaders.map(({ node }) => ` ${capitalized(nodeName(world, node))} becomes the leader.`).join('');
}
