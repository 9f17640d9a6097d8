/** The options of a run as text, in the syntax of the command line, in a fixed order. option-syntax.ts reads them. */
import { Topology } from '../../kernel/network/topology.ts';
import type { Initiators, SimulateOptions } from './options.ts';

/** More ids do not fit on a command line. */
const MAX_IDS = 10_000;

/** The options that are given, each with its name on the command line. Repeatable options occur once for each value. */
export function optionTexts(options: SimulateOptions): [option: string, text: string][] {
  const texts: [string, string][] = [];
  const add = (name: string, value: string | number | undefined) => {
    if (value !== undefined) texts.push([name, String(value)]);
  };
  if (options.ids === 'anonymous') add('ids', 'anonymous');
  else if (options.ids !== undefined) {
    add('ids', options.ids.length <= MAX_IDS ? options.ids.join(',') : `<the ${options.ids.length} ids>`);
  }
  add('nodes', options.ids === undefined || options.ids === 'anonymous' ? options.nodes : undefined);
  add('order', options.order);
  add('initiators', options.initiators && describeInitiators(options.initiators));
  add('topology', options.topology instanceof Topology ? '<the network given>' : options.topology);
  add(
    'schedule',
    typeof options.schedule === 'object' ? (options.schedule.name ?? 'adversary') : options.schedule,
  );
  add('seed', options.seed);
  if (options.crash === 'none') add('crash', 'none');
  else for (const { position, time } of options.crash ?? []) add('crash', `${position}@${time}`);
  for (const { position, time } of options.recover ?? []) add('recover', `${position}@${time}`);
  add('loss', options.loss);
  add('loss-until', options.lossUntil);
  add('duplicate', options.duplicate);
  for (const { groups, from, until } of options.partition ?? []) {
    add('partition', `${groups.map((group) => group.join(',')).join('/')}@${from}..${until}`);
  }
  for (const [name, value] of Object.entries(options.set ?? {})) add('set', `${name}=${value}`);
  for (const name of options.despite ?? []) add('despite', name);
  const { invariants } = options;
  add('invariants', typeof invariants === 'object' ? invariants.join(',') : invariants);
  add('until', options.until);
  add('steps', options.stepLimit);
  return texts;
}

/** In the syntax of the command line. */
export function describeInitiators(initiators: Initiators): string {
  if (initiators === 'all') return 'all';
  if ('random' in initiators) return `random:${initiators.random}`;
  return initiators
    .map((entry) => (typeof entry === 'number' ? `${entry}` : `${entry.position}@${entry.time}`))
    .join(',');
}
