/**
 * Buffers the trace of a run. Nothing is written while handlers run: a slow reader would look like a handler that does not
 * return.
 */
import { once } from 'node:events';
import { InputError } from '../../kernel/index.ts';
import { formatEvent, type TraceEvent } from '../../simulator/index.ts';

/** A few hundred megabytes of lines. */
const MAX_LINES = 1 << 22;
const LINES_AT_ONCE = 1 << 14;

export class TraceOutput {
  private readonly stream: NodeJS.WritableStream;
  private lines: string[] = [];

  constructor(stream: NodeJS.WritableStream) {
    this.stream = stream;
  }

  take(event: TraceEvent): void {
    if (this.lines.length === MAX_LINES) {
      throw new InputError(`a trace must have at most ${MAX_LINES} events at once: take fewer nodes`);
    }
    this.lines.push(formatEvent(event));
  }

  /** Waits for the reader, so that unread output does not fill the memory. */
  async flush(): Promise<void> {
    const { lines } = this;
    this.lines = [];
    for (let start = 0; start < lines.length; start += LINES_AT_ONCE) {
      const text = `${lines.slice(start, start + LINES_AT_ONCE).join('\n')}\n`;
      if (!this.stream.write(text)) await once(this.stream, 'drain');
    }
  }
}
