/** One line on a terminal that says how far a long run is. Silent in the first second, and where nobody looks. */

const SILENT_MS = 1000;
const BETWEEN_MS = 100;

export class Progress {
  private readonly stream: NodeJS.WriteStream | null;
  private readonly startMs = performance.now();
  private shownMs = 0;
  private isShown = false;

  constructor(stream: NodeJS.WriteStream, isWanted: boolean) {
    this.stream = isWanted && stream.isTTY ? stream : null;
  }

  update(events: number, time: number): void {
    const nowMs = performance.now();
    if (this.stream === null || nowMs - this.startMs < SILENT_MS || nowMs - this.shownMs < BETWEEN_MS) return;
    const seconds = (nowMs - this.startMs) / 1000;
    const text = `${millions(events)} events, ${millions(events / seconds)} a second, at time ${time.toFixed(0)}`;
    this.stream.write(`\r\u001b[2K${text}`);
    this.shownMs = nowMs;
    this.isShown = true;
  }

  clear(): void {
    if (this.isShown) this.stream?.write('\r\u001b[2K');
    this.isShown = false;
  }
}

function millions(count: number): string {
  return count < 1e6 ? `${Math.round(count / 1e3)} k` : `${(count / 1e6).toFixed(1)} M`;
}
