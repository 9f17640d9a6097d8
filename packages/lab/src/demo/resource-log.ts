/** What is in a resource of the demo: its lines, read as they come, and the writes that a fence has refused. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { DemoResource, ResourceWrite } from '../model/leases/demo-snapshot.ts';

/** An entry before its resource has decided on it. */
export type Entry = Pick<ResourceWrite, 'token' | 'id' | 'entry' | 'atMs'>;

/** The line of an entry in a resource. */
export function entryLine({ token, id, entry, atMs }: Entry): string {
  return `${token} ${id} #${entry} ${new Date(atMs).toISOString()}\n`;
}

const LINE = /(\d+) (\S+) #(\d+) (\S+)$/;
const LATEST = 6;
const NOTABLE = 20;

export class ResourceLog {
  readonly #path: string;
  #offset = 0;
  #rest = '';
  #newest = 0n;
  #index = 0;
  #written = 0;
  #late = 0;
  #refused = 0;
  #latest: ResourceWrite[] = [];
  #notable: ResourceWrite[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  get snapshot(): DemoResource {
    return {
      written: this.#written,
      late: this.#late,
      refused: this.#refused,
      latest: [...this.#latest],
      notable: [...this.#notable],
    };
  }

  /** Reads the lines that were appended since the last call. */
  read(): void {
    const lines = (this.#rest + this.#appended()).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      // Behind the torn line of a process that was killed while it wrote.
      const [, token, id, entry, at] = LINE.exec(line) ?? [];
      if (token === undefined) continue;
      const isLate = BigInt(token) < this.#newest;
      if (!isLate) this.#newest = BigInt(token);
      this.#written++;
      if (isLate) this.#late++;
      this.#add({ token, id, entry: Number(entry), atMs: Date.parse(at) }, isLate ? 'late' : 'written');
    }
  }

  /** A write that the fence of this resource has refused, after the lines that it had seen. */
  refuse(entry: Entry): void {
    this.read();
    this.#refused++;
    this.#add(entry, 'refused');
  }

  #add(entry: Entry, outcome: ResourceWrite['outcome']): void {
    const write = { index: ++this.#index, ...entry, outcome, newest: String(this.#newest) };
    this.#latest = [write, ...this.#latest].slice(0, LATEST);
    if (outcome !== 'written') this.#notable = [write, ...this.#notable].slice(0, NOTABLE);
  }

  #appended(): string {
    let file: number;
    try {
      file = openSync(this.#path, 'r');
    } catch {
      // Nobody has written yet.
      return '';
    }
    try {
      const bytes = Buffer.alloc(fstatSync(file).size - this.#offset);
      this.#offset += readSync(file, bytes, 0, bytes.length, this.#offset);
      return bytes.toString('utf8');
    } finally {
      closeSync(file);
    }
  }
}
