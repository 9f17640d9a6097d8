/** From the words of the command line to the options of the library. */
import { parseTopologyName } from '../../kernel/driver.ts';
import { fileSchedule, type ScheduleOption, type SimulateOptions } from '../../simulator/index.ts';
import { readInput } from '../files.ts';
import {
  parseCrashes,
  parseFaults,
  parseIds,
  parseInitiators,
  parseNumber,
  parseOrder,
  parsePartition,
  parseSettings,
} from './option-syntax.ts';

/** What commander hands over. */
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
  readonly until?: string;
  readonly trace?: true;
  readonly states?: true;
  readonly svg?: string;
  readonly json?: true;
}

/** Reads the files that the words name. */
export function readOptions(flags: SimulateFlags): SimulateOptions {
  const given = <W, V>(word: W | undefined, read: (word: W) => V): V | undefined =>
    word === undefined ? undefined : read(word);
  return {
    nodes: given(flags.nodes, (text) => parseNumber('nodes', text)),
    ids: given(flags.ids, parseIds),
    order: given(flags.order, parseOrder),
    initiators: given(flags.initiators, parseInitiators),
    topology: flags.topology,
    edgeText: given(flags.topology, readEdges),
    schedule: given(flags.schedule, readSchedule),
    seed: given(flags.seed, (text) => parseNumber('seed', text, 'a whole number, as in 1')),
    crash: given(flags.crash, parseCrashes),
    recover: given(flags.recover, (texts) => parseFaults('recover', texts)),
    loss: given(flags.loss, (text) => parseNumber('loss', text, 'a chance, as in 0.1')),
    lossUntil: given(flags.lossUntil, (text) => parseNumber('loss-until', text, 'a time, as in 40')),
    duplicate: given(flags.duplicate, (text) => parseNumber('duplicate', text, 'a chance, as in 0.1')),
    partition: given(flags.partition, (texts) => texts.map(parsePartition)),
    set: given(flags.set, parseSettings),
    despite: given(flags.despite, (texts) => texts.flatMap((text) => text.split(','))),
    until: given(flags.until, (text) => parseNumber('until', text, 'a time, as in 50')),
  };
}

/** The text of the file that a network is read from; undefined for all others. */
export function readEdges(topology: string): string | undefined {
  const spec = parseTopologyName(topology);
  return spec.shape === 'edges' ? readInput('--topology', spec.path) : undefined;
}

const FILE = /^file:(.+)$/s;

/** Whether the schedule is read from a file, which may turn out wrong in the middle of a run. */
export function isFileSchedule(word: string | undefined): boolean {
  return word !== undefined && FILE.test(word);
}

/** A file names links and not messages, so that of several on a link the oldest goes: its links are FIFO. */
function readSchedule(word: string): ScheduleOption {
  const path = FILE.exec(word)?.[1];
  if (path === undefined) return word as ScheduleOption; // the library refuses what is none
  return { pick: fileSchedule(readInput('--schedule', path), path), name: word, fifo: true };
}
