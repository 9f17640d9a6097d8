/** The command that gives a run again, to the last byte of its trace. */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { Topology } from '../kernel/network/topology.ts';
import type { Initiators, SimulateOptions } from './options.ts';

/** More ids than this do not go on a command line. */
const MOST_IDS = 10_000;

export function replayLine(algorithm: AnyAlgorithm, options: SimulateOptions, seed: number): string {
  const words = ['hustings', 'simulate', quoted(options.calledAs ?? algorithm.name)];
  const say = (name: string, value: string | number | undefined) => {
    if (value !== undefined) words.push(`--${name}`, quoted(String(value)));
  };
  if (options.ids === 'anonymous') say('ids', 'anonymous');
  else if (options.ids !== undefined) {
    say('ids', options.ids.length <= MOST_IDS ? options.ids.join(',') : `<the ${options.ids.length} ids>`);
  }
  say('nodes', options.ids === undefined || options.ids === 'anonymous' ? options.nodes : undefined);
  say('order', options.order);
  say('initiators', options.initiators && describeInitiators(options.initiators));
  say('topology', options.topology instanceof Topology ? '<the network given>' : options.topology);
  say(
    'schedule',
    typeof options.schedule === 'object' ? (options.schedule.name ?? 'adversary') : options.schedule,
  );
  say('seed', seed);
  if (options.crash === 'none') say('crash', 'none');
  else for (const { position, time } of options.crash ?? []) say('crash', `${position}@${time}`);
  for (const { position, time } of options.recover ?? []) say('recover', `${position}@${time}`);
  say('loss', options.loss);
  say('loss-until', options.lossUntil);
  say('duplicate', options.duplicate);
  for (const { groups, from, until } of options.partition ?? []) {
    say('partition', `${groups.map((group) => group.join(',')).join('/')}@${from}..${until}`);
  }
  for (const [name, value] of Object.entries(options.set ?? {})) say('set', `${name}=${value}`);
  for (const name of options.despite ?? []) say('despite', name);
  say('until', options.until);
  words.push('--trace');
  return words.join(' ');
}

/** As the command line takes them. */
export function describeInitiators(initiators: Initiators): string {
  if (initiators === 'all') return 'all';
  if ('random' in initiators) return `random:${initiators.random}`;
  return initiators
    .map((entry) => (typeof entry === 'number' ? `${entry}` : `${entry.position}@${entry.time}`))
    .join(',');
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
