/** From the words of the command line to the options of a sweep. */
import type { Order } from '../../kernel/driver.ts';
import { SWEEP_MEASURES, type SweepOptions, type SweepSchedule } from '../../sweep/index.ts';
import {
  parseChoice,
  parseCrashes,
  parseInitiators,
  parseNumber,
  parseOrder,
  parseSettings,
} from './option-syntax.ts';
import { readEdges } from './simulate-flags.ts';
import { parseSizes } from './size-list.ts';

/** What commander hands over. */
export interface SweepFlags {
  readonly nodes?: string;
  readonly runs?: string;
  readonly order?: string;
  readonly schedule?: string;
  readonly measure?: string;
  readonly initiators?: string;
  readonly topology?: string;
  readonly crash?: readonly string[];
  readonly set?: readonly string[];
  readonly despite?: readonly string[];
  readonly seed?: string;
  readonly cores?: string;
  readonly svg?: string;
  readonly perNode?: true;
  readonly csv?: string;
  readonly save?: string;
  readonly json?: true;
}

const SCHEDULES = ['lockstep', 'random', 'random:nofifo'] as const;

/** Plain data: every thread gets a copy. */
export function readSweepOptions(flags: SweepFlags): SweepOptions {
  const given = <W, V>(word: W | undefined, read: (word: W) => V): V | undefined =>
    word === undefined ? undefined : read(word);
  const list =
    <V>(read: (word: string) => V) =>
    (text: string) =>
      text.split(',').map(read);
  return {
    nodes: given(flags.nodes, parseSizes),
    runs: given(flags.runs, (text) => parseNumber('runs', text, 'a number, as in 200')),
    order: given(flags.order, list<Order>(parseOrder)),
    schedule: given(
      flags.schedule,
      list<SweepSchedule>((word) => parseChoice('schedule', SCHEDULES, word)),
    ),
    measure: given(flags.measure, (text) => parseChoice('measure', SWEEP_MEASURES, text)),
    initiators: given(flags.initiators, parseInitiators),
    topology: flags.topology,
    edgeText: given(flags.topology, readEdges),
    crash: given(flags.crash, parseCrashes),
    set: given(flags.set, parseSettings),
    despite: given(flags.despite, (texts) => texts.flatMap((text) => text.split(','))),
    seed: given(flags.seed, (text) => parseNumber('seed', text, 'a whole number, as in 1')),
  };
}
