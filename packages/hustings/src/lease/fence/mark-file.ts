/**
 * The text form of marks: lines `TOKEN NAME CHECKSUM`, oldest first, the last few of each election. The mark of an election is
 * its highest valid line. Torn and edited lines are ignored and reported; the mark is then that of the last valid line.
 *
 * Not detected: removed lines. A user who may edit this file may also edit what the mark guards.
 */
import { createHash } from 'node:crypto';
import { parseToken, type ReadFence } from './fence.ts';

/** More than one, so that one damaged line does not lose the mark. */
const KEPT_LINES = 4;

export interface MarkFile {
  readonly records: readonly ReadFence[];
  /** The numbers of the damaged lines. */
  readonly badLines: readonly number[];
}

export function parseMarks(text: string): MarkFile {
  const records: ReadFence[] = [];
  const badLines: number[] = [];
  const lines = text.split('\n');
  // An unterminated line may be a part of a longer one.
  if (lines.pop() !== '') badLines.push(lines.length + 1);
  for (const [index, line] of lines.entries()) {
    const record = parseLine(line);
    if (record === undefined) badLines.push(index + 1);
    else records.push(record);
  }
  return { records, badLines: badLines.sort((a, b) => a - b) };
}

export function markIn({ records }: MarkFile, name: string): bigint {
  return records.reduce((mark, each) => (each.name === name && each.token > mark ? each.token : mark), 0n);
}

/** The text of the file with the raised mark. */
export function withMark({ records }: MarkFile, raised: ReadFence): string {
  const own = records.filter(({ name }) => name === raised.name).slice(1 - KEPT_LINES);
  const others = records.filter(({ name }) => name !== raised.name);
  return [...others, ...own, raised].map((each) => `${formatLine(each)}\n`).join('');
}

function parseLine(line: string): ReadFence | undefined {
  const [token, encoded, ...rest] = line.split(' ');
  if (encoded === undefined || rest.length !== 1) return undefined;
  try {
    const record = { name: Buffer.from(encoded, 'base64url').toString('utf8'), token: parseToken(token) };
    return formatLine(record) === line ? record : undefined;
  } catch {
    return undefined;
  }
}

function formatLine({ name, token }: ReadFence): string {
  const body = `${token} ${Buffer.from(name, 'utf8').toString('base64url')}`;
  return `${body} ${createHash('sha256').update(body).digest('hex').slice(0, 16)}`;
}
