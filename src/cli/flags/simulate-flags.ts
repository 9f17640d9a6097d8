/** Translates the flags of `hustings simulate` into the options of simulate(). */
import { parseTopologyName } from '../../kernel/driver.ts';
import { fileSchedule, type ScheduleOption, type SimulateOptions } from '../../simulator/index.ts';
import { readInput } from '../files.ts';
import {
  optional,
  parseCrashes,
  parseFaults,
  parseIds,
  parseInitiators,
  parseInvariants,
  parseNumber,
  parseOrder,
  parsePartition,
  parseSettings,
} from './option-syntax.ts';

/** The flags as commander parses them. */
export interface SimulateFlags {
  readonly nodes?: string;
  readonly ids?: string;
  readonly order?: string;
  readonly initiators?: string;
  readonly topology?: string;
  readonly schedule?: string;
  readonly seed?: string;
  readonly crash?: readonly string[];
  readonly recover?: readonly string[];
  readonly loss?: string;
  readonly lossUntil?: string;
  readonly duplicate?: string;
  readonly partition?: readonly string[];
  readonly set?: readonly string[];
  readonly despite?: readonly string[];
  readonly invariants?: string;
  readonly until?: string;
  readonly trace?: true;
  readonly states?: true;
  readonly svg?: string;
  readonly json?: true;
}

/** Also reads the files that the flags name. */
export function readOptions(flags: SimulateFlags): SimulateOptions {
  return {
    nodes: optional(flags.nodes, (text) => parseNumber('nodes', text)),
    ids: optional(flags.ids, parseIds),
    order: optional(flags.order, parseOrder),
    initiators: optional(flags.initiators, parseInitiators),
    topology: flags.topology,
    edgeText: optional(flags.topology, readEdges),
    schedule: optional(flags.schedule, readSchedule),
    seed: optional(flags.seed, (text) => parseNumber('seed', text, 'a whole number, as in 1')),
    crash: optional(flags.crash, parseCrashes),
    recover: optional(flags.recover, (texts) => parseFaults('recover', texts)),
    loss: optional(flags.loss, (text) => parseNumber('loss', text, 'a probability, as in 0.1')),
    lossUntil: optional(flags.lossUntil, (text) => parseNumber('loss-until', text, 'a time, as in 40')),
    duplicate: optional(flags.duplicate, (text) =>
      parseNumber('duplicate', text, 'a probability, as in 0.1'),
    ),
    partition: optional(flags.partition, (texts) => texts.map(parsePartition)),
    set: optional(flags.set, parseSettings),
    despite: optional(flags.despite, (texts) => texts.flatMap((text) => text.split(','))),
    invariants: optional(flags.invariants, parseInvariants),
    until: optional(flags.until, (text) => parseNumber('until', text, 'a time, as in 50')),
  };
}

/** The text of the file of --topology edges:FILE; undefined for other networks. */
export function readEdges(topology: string): string | undefined {
  const spec = parseTopologyName(topology);
  return spec.shape === 'edges' ? readInput('--topology', spec.path) : undefined;
}

const FILE = /^file:(.+)$/s;

/** True if the schedule is a file, whose errors may show only during the run. */
export function isFileSchedule(word: string | undefined): boolean {
  return word !== undefined && FILE.test(word);
}

/** A file names links, not messages, and the oldest message of a link is delivered: its links are FIFO. */
function readSchedule(word: string): ScheduleOption {
  const path = FILE.exec(word)?.[1];
  if (path === undefined) return word as ScheduleOption; // the library checks it
  return { pick: fileSchedule(readInput('--schedule', path), path), name: word, fifo: true };
}
