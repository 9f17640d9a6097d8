/**
 * The states of all nodes as rows of words, one row per node, and their lists. Creates, resets, saves, loads and reads
 * complete states.
 */
import { isList } from '../field.ts';
import { ListTable } from './list-table.ts';
import { type Cursor, type RecordLayout, readOnlyViewOf, viewOf } from './record-layout.ts';

/** The states of all nodes in one array of words. */
export class StateTable {
  readonly layout: RecordLayout;
  /** `layout.width` words per node. */
  readonly words: Int32Array;
  readonly lists = new ListTable();
  /** The largest value of each field. */
  readonly limits: Int32Array;

  constructor(layout: RecordLayout, limits: Int32Array, nodes: number) {
    this.layout = layout;
    this.limits = limits;
    this.words = new Int32Array(nodes * layout.width);
    for (let field = 0; field < layout.width; field++) this.initialise(field);
  }

  /** Resets all fields that are not durable, as a crash does. */
  forget(at: number): void {
    this.layout.fields.forEach((field, index) => {
      if (field.durable) return;
      const place = at * this.layout.width + index;
      if (isList(field)) this.lists.refill(this.words[place], []);
      else this.words[place] = field.initial;
    });
  }

  /** Appends the fields of a node as numbers, lists with their length first. Equal states give equal numbers. */
  save(at: number, record: number[]): number[] {
    const { fields, width } = this.layout;
    for (let field = 0; field < width; field++) {
      const word = this.words[at * width + field];
      if (!isList(fields[field])) record.push(word);
      else record.push(this.lists.at(word).length, ...this.lists.at(word));
    }
    return record;
  }

  /** Restores a saved state that begins at `record[next]`. */
  load(at: number, record: readonly number[], next: number): void {
    const { fields, width } = this.layout;
    for (let field = 0; field < width; field++) {
      const place = at * width + field;
      if (!isList(fields[field])) this.words[place] = record[next++];
      else {
        const end = next + 1 + record[next];
        this.lists.refill(this.words[place], record.slice(next + 1, end));
        next = end;
      }
    }
  }

  /** A copy of the fields of a node by name. */
  read(at: number): Record<string, unknown> {
    const { names, fields, width } = this.layout;
    const values = fields.map((field, index) => {
      const word = this.words[at * width + index];
      return isList(field)
        ? this.layout.fromList(index, this.lists.at(word))
        : this.layout.decode(index, word);
    });
    return Object.fromEntries(names.map((name, index) => [name, values[index]]));
  }

  /** A permanent view of the state of one node. */
  view(at: number): Record<string, unknown> {
    return viewOf(this.layout, this.cursorOf(at));
  }

  /** A view that refuses writes, for invariants. */
  readOnlyView(at: number): Record<string, unknown> {
    return readOnlyViewOf(this.layout, this.cursorOf(at));
  }

  private cursorOf(at: number): Cursor {
    const { words, limits, lists } = this;
    return { words, base: at * this.layout.width, limits, lists };
  }

  private initialise(field: number): void {
    const { words } = this;
    const { width } = this.layout;
    const { initial } = this.layout.fields[field];
    if (isList(this.layout.fields[field])) {
      const rule = this.layout.rule(field, this.limits);
      for (let at = field; at < words.length; at += width) words[at] = this.lists.addOwned(rule);
    } else if (initial !== 0) for (let at = field; at < words.length; at += width) words[at] = initial;
  }
}
