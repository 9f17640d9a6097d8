/**
 * Lets other processes of this host recognise a candidate. A process that stands in an election keeps a file open whose name
 * contains its PID, and which lists its elections. The file is unlinked at once: others find it in /proc/PID/fd, and it
 * vanishes with the process, however that ends. The programs that the process starts do not inherit it.
 *
 * A process without a folder for temporary files, or of another user, is not recognised: its neighbours then wait for the end
 * of a lease instead of proving that its holder has ended.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'hustings-candidate';

/** The elections in which this process stands, with the number of its candidates. */
const standing = new Map<string, number>();
let file: number | null | undefined;
let lines = 0;

/** A fixed length: the file may be read while it is written. */
const lineOf = (election: string): string =>
  createHash('sha256').update(election).digest('base64url').slice(0, 22);

/** A candidate of this process stands, until it calls the result. `election` names the store and the election. */
export function markCandidate(election: string): () => void {
  const others = standing.get(election) ?? 0;
  standing.set(election, others + 1);
  if (others === 0) write([election]);
  let isStanding = true;
  return () => {
    if (!isStanding) return;
    isStanding = false;
    const left = standing.get(election)! - 1;
    if (left > 0) standing.set(election, left);
    else standing.delete(election);
    // Not each time: a process may stand in thousands of elections.
    if (lines > 2 * standing.size + 16) rewrite();
  };
}

function write(elections: Iterable<string>): void {
  file ??= process.platform === 'linux' ? openMark() : null;
  if (file === null) return;
  const text = [...elections].map((election) => `${lineOf(election)}\n`);
  lines += text.length;
  try {
    writeSync(file, text.join(''));
  } catch {
    // The disk is full: this process is not recognised.
  }
}

function rewrite(): void {
  if (typeof file !== 'number') return;
  ftruncateSync(file);
  lines = 0;
  write(standing.keys());
}

function openMark(): number | null {
  for (const folder of [tmpdir(), '/dev/shm']) {
    try {
      const path = join(folder, `${PREFIX}-${process.pid}-${randomUUID()}`);
      const opened = openSync(path, 'ax', 0o600);
      unlinkSync(path);
      return opened;
    } catch {}
  }
  return null;
}

/** The elections in which a process stands. */
export class CandidateMarks {
  readonly #lines: ReadonlySet<string>;

  constructor(pid: number) {
    this.#lines = new Set(openMarksOf(pid).flatMap((path) => read(path).split('\n')));
  }

  has(election: string): boolean {
    return this.#lines.has(lineOf(election));
  }
}

/** The PID in the name tells the process itself from a child that it has forked a moment ago. */
function openMarksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`)
      .map((fd) => `/proc/${pid}/fd/${fd}`)
      .filter((path) => target(path).includes(`/${PREFIX}-${pid}-`));
  } catch {
    return [];
  }
}

function target(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
