/**
 * What a long command is doing: a line on a terminal that is replaced, and elsewhere, as in a log, a line a minute. A terminal has
 * none in the first second, a log none in the first minute.
 */
import { formatDuration } from './duration.ts';

const SILENT_MS = 1000;
const BETWEEN_MS = 100;
const LOGGED_EVERY_MS = 60_000;
const BAR_WIDTH = 20;

export class Progress {
  private readonly stream: NodeJS.WriteStream | null;
  private readonly now: () => number;
  private readonly startMs: number;
  private shownMs: number;
  private isShown = false;
  private describe: (seconds: number) => string = () => 'still working';
  /** Work on other threads may report nothing for minutes. */
  private readonly timer: NodeJS.Timeout | null;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(stream: NodeJS.WriteStream, isWanted: boolean, now: () => number = () => performance.now()) {
    this.stream = isWanted ? stream : null;
    this.now = now;
    this.startMs = now();
    this.shownMs = this.startMs;
    const isLogged = isWanted && !stream.isTTY;
    this.timer = isLogged ? setInterval(() => this.show(this.describe), LOGGED_EVERY_MS).unref() : null;
  }

  /** The events of a run so far, and its time in units. */
  update(events: number, time: number): void {
    this.show(
      (seconds) =>
        `${amount(events)} events, ${amount(events / seconds)} per second, at time ${time.toFixed(0)}`,
    );
  }

  /**
   * The states of a search so far, those in the queue, the size of the state store, and the estimated number of states in
   * the end, if known; or the instances that were searched, if there are several.
   */
  updateSearch(
    states: number,
    waiting: number,
    bytes?: number,
    expected?: number | null,
    instances?: { readonly searched: number; readonly all: number } | null,
  ): void {
    const expanded = states - waiting;
    this.show((seconds) => {
      const isEstimated = typeof expected === 'number' && expanded > 0;
      const leftMs = isEstimated ? (1000 * seconds * Math.max(0, expected - expanded)) / expanded : null;
      return (
        `${amount(states)} states, ${amount(states / seconds)} per second, ${amount(waiting)} in the queue` +
        (bytes === undefined ? '' : `, ${(bytes / 1e6).toFixed(0)} MB`) +
        (instances ? `, ${amount(instances.searched)} of ${amount(instances.all)} instances` : '') +
        (isEstimated ? `, about ${amount(expected)} states in all${left(leftMs)}` : '')
      );
    });
  }

  /** The runs of a sweep so far, their total, and the estimated time for the rest if known. */
  updateSweep(runs: number, of: number, leftMs: number | null): void {
    this.show(
      (seconds) =>
        `${barOf(runs / of)} ${amount(runs)} of ${amount(of)} runs, ${amount(runs / seconds)} per second${left(leftMs)}`,
    );
  }

  /** The claims so far, their total, and the estimated time for the rest. */
  updateClaims(claims: number, of: number, elections: number, leftMs: number): void {
    this.show(
      () => `${barOf(claims / of)} ${claims} of ${of} claims, ${amount(elections)} elections${left(leftMs)}`,
    );
  }

  clear(): void {
    if (this.timer !== null) clearInterval(this.timer);
    if (this.isShown) this.stream?.write('\r\u001b[2K');
    this.isShown = false;
  }

  private show(describe: (seconds: number) => string): void {
    const { now, shownMs, startMs, stream } = this;
    if (stream === null) return;
    this.describe = describe;
    const nowMs = now();
    if (stream.isTTY ? isTooSoon(nowMs - startMs, nowMs - shownMs) : nowMs - shownMs < LOGGED_EVERY_MS)
      return;
    const text = describe((nowMs - startMs) / 1000);
    stream.write(stream.isTTY ? `\r\u001b[2K${text}` : `hustings: ${text}\n`);
    this.shownMs = nowMs;
    this.isShown = stream.isTTY;
  }
}

function isTooSoon(sinceStartMs: number, sinceShownMs: number): boolean {
  return sinceStartMs < SILENT_MS || sinceShownMs < BETWEEN_MS;
}

/** Calls a search with the function that reports its progress, and removes the progress line at its end. */
export function withSearchProgress<T>(search: (onProgress: Progress['updateSearch']) => T): T {
  const progress = new Progress(process.stderr, true);
  try {
    return search(progress.updateSearch.bind(progress));
  } finally {
    progress.clear();
  }
}

function barOf(share: number): string {
  const filled = Math.floor(BAR_WIDTH * share);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
}

function left(leftMs: number | null): string {
  return leftMs === null ? '' : `, ${formatDuration(Math.max(1000, leftMs))} left`;
}

function amount(count: number): string {
  if (count < 1e4) return String(Math.round(count));
  return count < 1e6 ? `${Math.round(count / 1e3)} k` : `${(count / 1e6).toFixed(1)} M`;
}
