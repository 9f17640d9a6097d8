/** One line on a terminal that says how far a long run or search is. Silent in the first second, and where nobody looks. */
import { formatDuration } from './flags/span.ts';

const SILENT_MS = 1000;
const BETWEEN_MS = 100;
/** In characters. */
const BAR = 20;

export class Progress {
  private readonly stream: NodeJS.WriteStream | null;
  private readonly startMs = performance.now();
  private shownMs = 0;
  private isShown = false;

  constructor(stream: NodeJS.WriteStream, isWanted: boolean) {
    this.stream = isWanted && stream.isTTY ? stream : null;
  }

  /** A run: events so far, and the time in units. */
  update(events: number, time: number): void {
    this.show(
      (seconds) =>
        `${amount(events)} events, ${amount(events / seconds)} a second, at time ${time.toFixed(0)}`,
    );
  }

  /** A search: states so far, those that wait to be looked into, and the memory that they take, if that is known. */
  updateSearch(states: number, waiting: number, bytes?: number): void {
    this.show(
      (seconds) =>
        `${amount(states)} states, ${amount(states / seconds)} a second, ${amount(waiting)} waiting` +
        (bytes === undefined ? '' : `, ${(bytes / 1e6).toFixed(0)} MB`),
    );
  }

  /** A sweep: runs so far, of so many, and the time that the rest will take, if that is known. */
  updateSweep(runs: number, of: number, leftMs: number | null): void {
    this.show(
      (seconds) =>
        `${barOf(runs / of)} ${amount(runs)} of ${amount(of)} runs, ${amount(runs / seconds)} a second${left(leftMs)}`,
    );
  }

  /** Claims so far, of so many, and the time that the rest will take. */
  updateClaims(claims: number, of: number, elections: number, leftMs: number): void {
    this.show(
      () => `${barOf(claims / of)} ${claims} of ${of} claims, ${amount(elections)} elections${left(leftMs)}`,
    );
  }

  clear(): void {
    if (this.isShown) this.stream?.write('\r\u001b[2K');
    this.isShown = false;
  }

  private show(describe: (seconds: number) => string): void {
    const nowMs = performance.now();
    if (this.stream === null || nowMs - this.startMs < SILENT_MS || nowMs - this.shownMs < BETWEEN_MS) return;
    this.stream.write(`\r\u001b[2K${describe((nowMs - this.startMs) / 1000)}`);
    this.shownMs = nowMs;
    this.isShown = true;
  }
}

function barOf(share: number): string {
  const filled = Math.floor(BAR * share);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
}

function left(leftMs: number | null): string {
  return leftMs === null ? '' : `, ${formatDuration(Math.max(1000, leftMs))} left`;
}

function amount(count: number): string {
  if (count < 1e4) return String(Math.round(count));
  return count < 1e6 ? `${Math.round(count / 1e3)} k` : `${(count / 1e6).toFixed(1)} M`;
}
