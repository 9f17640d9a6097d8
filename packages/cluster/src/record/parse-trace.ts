/**
 * Reads recordings. A line that is torn at the end of an incarnation is left out: a process was stopped while it wrote.
 * Every other line must be complete; errors name the file and the line.
 */
import { InputError } from '@hustings/study/kernel';
import type { TraceLine } from './trace-line.ts';

/** One recording: the name of its file, and its text. */
export interface TraceText {
  readonly file: string;
  readonly text: string;
}

/** A place in a recording. */
export interface TracePlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A line of a recording and its place. */
export interface PlacedLine extends TracePlace {
  readonly entry: TraceLine;
}

/** The first line of each start of a member. */
export type BeginLine = Extract<TraceLine, { type: 'begin' }>;
/** The line of a step. */
export type StepLine = Extract<TraceLine, { type: 'step' }>;

/** `3.trace, line 17`. */
export function placeText({ file, line }: TracePlace): string {
  return `${file}, line ${line}`;
}

/** Throws: a recording has a line that cannot be. */
export function refuseLine(place: TracePlace, reason: string): never {
  throw new InputError(`${placeText(place)}: ${reason}`);
}

const NEXT_BEGIN = '{"type":"begin"';

/** The lines of a recording. */
export function parseTrace({ file, text }: TraceText): PlacedLine[] {
  const lines = text.split('\n');
  return lines.flatMap((content, index): PlacedLine[] => {
    const place = { file, line: index + 1 };
    if (content === '') return [];
    const entry = parseLine(content);
    if (entry === null && !isCut(content)) refuseLine(place, 'it is not JSON');
    if (entry !== null) return [{ ...place, entry: checkEntry(place, entry) }];
    // The next incarnation appends behind a torn line, or begins a new one.
    const next = content.indexOf(NEXT_BEGIN, 1);
    const begun = next < 0 ? null : parseLine(content.slice(next));
    if (begun !== null) return [{ ...place, entry: checkEntry(place, begun) }];
    const rest = lines.slice(index + 1).find((line) => line !== '');
    if (rest === undefined || rest.startsWith(NEXT_BEGIN)) return [];
    return refuseLine(place, 'it is not JSON');
  });
}

const LINE_BEGIN = '{"type":"';

/** Whether it begins as a line does: what is left of a line that was torn. */
const isCut = (content: string): boolean => content.startsWith(LINE_BEGIN) || LINE_BEGIN.startsWith(content);

function parseLine(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

type Check = (value: unknown) => boolean;
const isWhole: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isText: Check = (value) => typeof value === 'string';
const isRecord: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const has =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && faultyField(value as object, fields) === undefined;

/** Equal for equal values, with fields in any order. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, one) =>
    isRecord(one) ? Object.fromEntries(Object.entries(one).sort()) : one,
  );
}

function faultyField(value: object, fields: Readonly<Record<string, Check>>): string | undefined {
  return Object.keys(fields).find((name) => !fields[name]((value as Record<string, unknown>)[name]));
}

const FIELDS: Readonly<Record<TraceLine['type'], Readonly<Record<string, Check>>>> = {
  begin: {
    cluster: isText,
    id: isWhole,
    incarnation: isWhole,
    algorithm: isText,
    params: isRecord,
    members: isListOf(isWhole),
    list: optional(has({ version: isWhole, origin: isWhole, stamp: optional(isWhole) })),
    edges: orNull(isListOf(isListOf(isWhole))),
    unitMs: (value) => typeof value === 'number' && value > 0,
    recovered: (value) => typeof value === 'boolean',
    durable: orNull(isRecord),
    after: optional(isListOf(isText)),
    hasForgotten: optional((value) => value === true),
  },
  epoch: { number: isWhole, proposer: isWhole, members: isListOf(isWhole) },
  step: {
    epoch: isWhole,
    proposer: isWhole,
    step: isText,
    of: optional(isText),
    clock: (value) => isRecord(value) && Object.values(value as object).every(isWhole),
    at: (value) => Number.isFinite(value),
    sent: isListOf(has({ to: orNull(isWhole), message: isText, key: isText })),
    decided: optional(has({ role: isText, leader: orNull(isWhole), term: isWhole })),
    standing: optional(has({ leader: orNull(isWhole), term: isWhole })),
  },
};

function checkEntry(place: TracePlace, value: unknown): TraceLine {
  const problem = lineProblem(value);
  return problem === null ? (value as TraceLine) : refuseLine(place, problem);
}

/** Why a value is not a line of a recording; null if it is one. */
export function lineProblem(value: unknown): string | null {
  const type = isRecord(value) ? (value as { type?: unknown }).type : undefined;
  if (type !== 'begin' && type !== 'epoch' && type !== 'step') return 'its type must be begin, epoch or step';
  const faulty = faultyField(value as object, FIELDS[type]);
  return faulty === undefined ? null : `its field '${faulty}' is missing or not valid`;
}
