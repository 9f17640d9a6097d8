/**
 * The layout of records of words, and the views through which handlers see them.
 *
 * A view is created once per algorithm. Its accessors are closures over one cursor, so reading `state.best` is an array
 * access at an offset that the driver set before it called the handler. No object is created per node or message. The
 * accessors are closures, not generated code, because the content security policy of a page may forbid `eval`.
 *
 * Guarantees: every write is checked against the range of the field, in production too.
 */
import { suggestion } from '@hustings/base';
import { ProtocolError } from '../errors.ts';
import { type Field, isList, largestItemOf, limitOf, MAX_WORD, NONE, type Scale } from '../field.ts';
import type { NamedField } from '../message.ts';
import type { ListTable } from './list-table.ts';
import { readOnlyGetter, refuseWrite } from './read-only.ts';
import type { ListRule } from './state-list.ts';

/** The record that a view shows: `words[base]` is its first field. */
export interface Cursor {
  words: Int32Array;
  base: number;
  limits: Int32Array;
  lists: ListTable;
}

/** The fields of a record in the order of their words. */
export class RecordLayout {
  readonly names: readonly string[];
  readonly fields: readonly Field<unknown>[];
  readonly width: number;
  readonly lists: readonly number[];

  constructor(named: readonly NamedField[]) {
    this.names = named.map(([name]) => name);
    this.fields = named.map(([, field]) => field);
    this.width = named.length;
    this.lists = this.fields.flatMap((field, at) => (isList(field) ? [at] : []));
  }

  /** The largest value of each field, or the length of a list; then the largest item of each list. */
  limits(scale: Scale): Int32Array {
    const limits = this.fields.map((field) => limitOf(field, scale));
    return Int32Array.of(...limits, ...this.fields.map((field) => largestItemOf(field, scale)));
  }

  /** The rule for the lists of a field. */
  rule(at: number, limits: Int32Array): ListRule {
    return {
      most: limits[at],
      largest: limits[this.width + at],
      isSet: this.fields[at].kind === 'set',
      refuse: (value) => this.refuse(at, value, limits),
    };
  }

  /** The word of a value. Lists are not encoded here, but stored in a table. */
  encode(at: number, value: unknown, limits: Int32Array): number {
    const field = this.fields[at];
    if (field.kind === 'flag')
      return value === true ? 1 : value === false ? 0 : this.refuse(at, value, limits);
    if (field.kind === 'choice') {
      const place = field.names.indexOf(value as string);
      return place < 0 ? this.refuse(at, value, limits) : place;
    }
    // Before any arithmetic, which would call methods of a forged object.
    if (typeof value !== 'number') return this.refuse(at, value, limits);
    const least = field.optional ? NONE : 0;
    return (value | 0) !== value || value < least || value > limits[at]
      ? this.refuse(at, value, limits)
      : value;
  }

  /** Throws unless the value is a list that the field allows. */
  checkList(at: number, value: unknown, limits: Int32Array): asserts value is number[] {
    const largest = limits[this.width + at];
    const isShort = Array.isArray(value) && value.length <= limits[at];
    if (
      !isShort ||
      !value.every((item) => typeof item === 'number' && (item | 0) === item && item >= 0 && item <= largest)
    ) {
      this.refuse(at, value, limits);
    }
  }

  /** The list that stores a value of a list or of a wide counter; throws if the value is not allowed. */
  toList(at: number, value: unknown, limits: Int32Array): readonly number[] {
    const { kind, largest } = this.fields[at];
    if (kind !== 'wide counter') {
      this.checkList(at, value, limits);
      return value;
    }
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > largest) {
      return this.refuse(at, value, limits);
    }
    return value === 0 ? [] : [value];
  }

  /** The value that a list stores. */
  fromList(at: number, list: readonly number[]): unknown {
    return this.fields[at].kind === 'wide counter' ? (list[0] ?? 0) : [...list];
  }

  /** The value of a word. */
  decode(at: number, word: number): unknown {
    const field = this.fields[at];
    if (field.kind === 'flag') return word === 1;
    return field.kind === 'choice' ? field.names[word] : word;
  }

  /** Throws an error that names the field and its range. */
  refuse(at: number, value: unknown, limits: Int32Array): never {
    const { kind, optional, names, items } = this.fields[at];
    const largest = limits[this.width + at];
    const range =
      kind === 'flag'
        ? 'true or false'
        : kind === 'choice'
          ? `one of ${names.join(', ')}`
          : kind === 'wide counter'
            ? `a whole number from 0 to ${this.fields[at].largest}`
            : isList(this.fields[at])
              ? `a ${kind} of at most ${limits[at]} ${items}${largest < MAX_WORD ? ` up to ${largest}` : ''}`
              : `a whole number from ${optional ? NONE : 0} to ${limits[at]}`;
    throw new ProtocolError(`'${this.names[at]}' takes ${range}, not ${shown(value)}`);
  }
}

/** Never throws: a forged message may hold an object whose own `toString` does. */
function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(shown)}]`;
  return typeof value === 'object' && value !== null ? Object.prototype.toString.call(value) : String(value);
}

/** What a view of a message shows: one type, and the fields of that type alone. */
export interface MessageShape {
  readonly type: string;
  /** Their indexes in the layout. */
  readonly slots: readonly number[];
  /** The number of words before the fields. */
  readonly header: number;
}

/** A view of a state that refuses writes. */
export function readOnlyViewOf(layout: RecordLayout, cursor: Cursor): Record<string, unknown> {
  const view = Object.create(misspelt('the state', layout.names));
  for (const [at, name] of layout.names.entries()) {
    const { get } = accessor(layout, cursor, at, 0);
    Object.defineProperty(view, name, {
      enumerable: true,
      get: isList(layout.fields[at]) ? readOnlyGetter(name, get) : get,
      set: () => refuseWrite(name),
    });
  }
  return Object.preventExtensions(view);
}

/** An object whose properties are the fields of the record under the cursor. A message is read-only and has a `type`. */
export function viewOf(
  layout: RecordLayout,
  cursor: Cursor,
  message: MessageShape | null = null,
): Record<string, unknown> {
  const slots = message?.slots ?? layout.names.map((_, at) => at);
  const owner = message === null ? 'the state' : `message ${message.type}`;
  const names = slots.map((at) => layout.names[at]);
  // The prototype is the view's own: views with the same prototype share hidden classes, and V8 makes the second one that
  // defines other accessors under the same names a dictionary, in which every access is a search.
  const view = Object.create(misspelt(owner, names));
  for (const at of slots) {
    const { get, set } = accessor(layout, cursor, at, message?.header ?? 0);
    const enumerable = true;
    const descriptor = message === null ? { enumerable, get, set } : { enumerable, get };
    Object.defineProperty(view, layout.names[at], descriptor);
  }
  if (message !== null) Object.defineProperty(view, 'type', { enumerable: true, value: message.type });
  // An undeclared field would be shared by all nodes.
  return Object.preventExtensions(view);
}

/**
 * A prototype that refuses what is not a property of its object. It is consulted only after a lookup has failed, so declared
 * fields stay as fast as without it.
 */
function misspelt(owner: string, names: readonly string[]): object {
  const has = names.length > 0 ? `it has ${names.join(', ')}` : 'it has none';
  return refusing((name) => `${owner} has no field '${name}': ${has}${suggestion(name, names)}`);
}

/** What `await`, JSON and Node's inspect look for in any object. */
const PROBED: readonly string[] = ['then', 'toJSON', 'href', 'protocol'];

/** The prototype of an object whose other properties cannot be read or written. */
export function refusing(text: (name: string) => string): object {
  return new Proxy(Object.prototype, {
    get(target, name, self) {
      if (typeof name === 'symbol' || name in target || PROBED.includes(name))
        return Reflect.get(target, name, self);
      throw new ProtocolError(text(name));
    },
    set(_, name) {
      throw new ProtocolError(text(String(name)));
    },
  });
}

interface Accessor {
  readonly get: () => unknown;
  readonly set: (value: never) => void;
}

/**
 * V8 inlines a function of at most 27 bytes of bytecode in any case, and larger ones while a budget lasts, which a long handler
 * uses up. The getters of numbers and flags are below that size, as long as they close over parameters only: constants are
 * checked for their initialisation.
 */
function accessor(layout: RecordLayout, cursor: Cursor, at: number, header: number): Accessor {
  const { kind, names, optional } = layout.fields[at];
  const offset = at + header;
  const refuse = (value: unknown): never => layout.refuse(at, value, cursor.limits);
  if (kind === 'flag') return flagAccessor(cursor, offset, refuse);
  if (kind === 'choice') return choiceAccessor(cursor, offset, names, refuse);
  if (isList(layout.fields[at])) return listAccessor(layout, cursor, at, offset);
  return numberAccessor(cursor, offset, at, optional ? NONE : 0, refuse);
}

type Refuse = (value: unknown) => never;

function flagAccessor(cursor: Cursor, offset: number, refuse: Refuse): Accessor {
  return {
    get: () => !!cursor.words[cursor.base + offset],
    set: (value: unknown) => {
      cursor.words[cursor.base + offset] = value === true ? 1 : value === false ? 0 : refuse(value);
    },
  };
}

function choiceAccessor(cursor: Cursor, offset: number, names: readonly string[], refuse: Refuse): Accessor {
  return {
    get: choiceGetter(() => cursor.words[cursor.base + offset], names),
    set: (value: unknown) => {
      // A loop is faster than a call of indexOf().
      let place = 0;
      while (names[place] !== value) if (++place === names.length) refuse(value);
      cursor.words[cursor.base + offset] = place;
    },
  };
}

/** In two functions, each of which is small enough to be inlined always. */
function choiceGetter(word: () => number, names: readonly string[]): () => string {
  return () => names[word()];
}

function listAccessor(layout: RecordLayout, cursor: Cursor, at: number, offset: number): Accessor {
  const list = (): number[] => cursor.lists.at(cursor.words[cursor.base + offset]);
  return {
    get: layout.fields[at].kind === 'wide counter' ? () => list()[0] ?? 0 : list,
    set: (value: unknown) =>
      cursor.lists.refill(cursor.words[cursor.base + offset], layout.toList(at, value, cursor.limits)),
  };
}

function numberAccessor(cursor: Cursor, offset: number, at: number, least: number, refuse: Refuse): Accessor {
  return {
    get: () => cursor.words[cursor.base + offset],
    set: (value: number) => {
      if ((value | 0) !== value || value < least || value > cursor.limits[at]) refuse(value);
      cursor.words[cursor.base + offset] = value;
    },
  };
}
