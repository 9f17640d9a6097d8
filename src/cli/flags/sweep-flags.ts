/** Translates the flags of `hustings sweep` into the options of sweep(). */
import type { Order } from '../../kernel/driver.ts';
import { SWEEP_MEASURES, type SweepOptions, type SweepSchedule } from '../../sweep/index.ts';
import {
  optional,
  parseChoice,
  parseCrashes,
  parseInitiators,
  parseNumber,
  parseOrder,
  parseSettings,
} from './option-syntax.ts';
import { readEdges } from './simulate-flags.ts';
import { parseSizes } from './size-list.ts';

/** The flags as commander parses them. */
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

/** Plain data, because every thread gets a copy. */
export function readSweepOptions(flags: SweepFlags): SweepOptions {
  const list =
    <V>(read: (word: string) => V) =>
    (text: string) =>
      text.split(',').map(read);
  return {
    nodes: optional(flags.nodes, parseSizes),
    runs: optional(flags.runs, (text) => parseNumber('runs', text, 'a number, as in 200')),
    order: optional(flags.order, list<Order>(parseOrder)),
    schedule: optional(
      flags.schedule,
      list<SweepSchedule>((word) => parseChoice('schedule', SCHEDULES, word)),
    ),
    measure: optional(flags.measure, (text) => parseChoice('measure', SWEEP_MEASURES, text)),
    initiators: optional(flags.initiators, parseInitiators),
    topology: flags.topology,
    edgeText: optional(flags.topology, readEdges),
    crash: optional(flags.crash, parseCrashes),
    set: optional(flags.set, parseSettings),
    despite: optional(flags.despite, (texts) => texts.flatMap((text) => text.split(','))),
    seed: optional(flags.seed, (text) => parseNumber('seed', text, 'a whole number, as in 1')),
  };
}
