/**
 * What a state or a message is made of.
 *
 * A field is declared once. From the declaration come the word it takes in a record, the bits it costs on the
 * wire, the check of everything that is written into it, and the type that a handler sees. Every field is one
 * 32-bit word; a list is one word that names an entry of a table beside the words.
 *
 * Not here: where records live. The simulator keeps them in one array, the checker in packed states, the
 * cluster on disk; all read them through `RecordView`.
 */
import { InputError } from './errors.ts';
import type { SmallSet } from './machine/state-list.ts';
import type { Setting } from './params.ts';

/** No id, no port. Smaller than every id, so that `id > state.best` reads as in the papers. */
export const NONE = -1;

/** The largest id or counter that fits a word. */
export const MAX_WORD = 0x7fff_ffff;

/** What a limit may depend on: the size of the run and its parameters. */
export interface Scale {
  readonly n: number;
  readonly largestId: number;
  readonly params: Readonly<Record<string, Setting>>;
}

/** A largest legal value: a number, or how it follows from the run. */
export type Limit = number | ((scale: Scale) => number);

/** The kinds of fields. */
export type FieldKind = 'id' | 'counter' | 'flag' | 'choice' | 'port' | 'list' | 'set';

/** The declaration of a value in a state or a message. */
export interface Field<V> {
  readonly kind: FieldKind;
  /** Survives a crash: on disk before the messages of the handler that wrote it leave. */
  readonly durable: boolean;
  /** The word a fresh record holds. */
  readonly initial: number;
  /** `undefined` is a legal value of the field, written NONE. */
  readonly optional: boolean;
  /** The largest value; of a list, its greatest length. */
  readonly limit: Limit;
  /** Of a list: what it holds, in words, and the largest of them. */
  readonly items: string;
  readonly largestItem: Limit;
  readonly names: readonly string[];
  /** Counts rounds without end, and only the differences between two such counters, in states or messages, matter. */
  readonly relative: boolean;
  /** In a state: never read again while a choice of the state, by name, has one of these values. */
  readonly unread: Readonly<Record<string, readonly string[]>>;
  /** Only for the type checker: the type that a handler reads and writes. */
  readonly value?: V;
}

/** The fields of a state by name. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The record that a handler reads and writes. */
export type View<F extends Fields> = { -readonly [K in keyof F]: F[K] extends Field<infer V> ? V : never };

/** Whether a field survives a crash. */
export interface Durability {
  readonly durable?: boolean;
}

function field<V>(kind: FieldKind, options: Partial<Field<V>>): Field<V> {
  const plain = {
    initial: 0,
    optional: false,
    limit: 1,
    names: [],
    items: '',
    largestItem: 0,
    relative: false,
    unread: {},
  };
  return { kind, durable: false, ...plain, ...options };
}

/** Its word names an entry of a table. */
export function isList({ kind }: Field<unknown>): boolean {
  return kind === 'list' || kind === 'set';
}

/** An id, or NONE. In a state it begins as NONE. */
export function id(options: Durability = {}): Field<number> {
  return field('id', { initial: NONE, optional: true, limit: (scale) => scale.largestId, ...options });
}

/** Options of a counter. */
export interface CounterOptions extends Durability {
  readonly relative?: boolean;
  readonly unread?: Readonly<Record<string, readonly string[]>>;
}

/** 0..max. */
export function counter(max: Limit, options: CounterOptions = {}): Field<number> {
  return field('counter', { limit: max, ...options });
}

/** A boolean, false at first unless `initially` is set. */
export function flag(options: Durability & { readonly initially?: boolean } = {}): Field<boolean> {
  return field('flag', { initial: options.initially ? 1 : 0, durable: options.durable ?? false });
}

/** One of a few words; the first is where a state begins. */
export function choice<const N extends readonly string[]>(
  names: N,
  options: Durability = {},
): Field<N[number]> {
  return field('choice', { names, limit: names.length - 1, ...options });
}

/** A local link, or NONE. */
export function port(options: Durability = {}): Field<number> {
  return field('port', { initial: NONE, optional: true, limit: MAX_WORD, ...options });
}

/** Options of a list. */
export interface ListOptions extends Durability {
  /** Its greatest length; n unless it says otherwise. */
  readonly most?: Limit;
}

function list(kind: 'list', items: string, largestItem: Limit, options: ListOptions): Field<number[]>;
function list(kind: 'set', items: string, largestItem: Limit, options: ListOptions): Field<SmallSet>;
function list(
  kind: 'list' | 'set',
  items: string,
  largestItem: Limit,
  { most = ({ n }) => n, durable = false }: ListOptions,
): Field<unknown> {
  return field(kind, { items, largestItem, limit: most, durable });
}

const largestId = (scale: Scale): number => scale.largestId;

/**
 * A list of ids, empty at first. A state owns its list and may push to it; sending or assigning one copies it.
 */
export function ids(options: ListOptions = {}): Field<number[]> {
  return list('list', 'ids', largestId, options);
}

/** A list of counters, each 0..max. */
export function counters(max: Limit, options: ListOptions = {}): Field<number[]> {
  return list('list', 'counters', max, options);
}

/** A list of local links in the order in which they came, for states. */
export function ports(options: ListOptions = {}): Field<number[]> {
  return list('list', 'ports', MAX_WORD, { most: MAX_WORD, ...options });
}

/**
 * A set of local links, for states: which neighbours are children in a tree. Equal sets are equal states, in
 * whatever order they were filled, which saves a search through all states all those orders.
 */
export function portSet(options: ListOptions = {}): Field<SmallSet> {
  return list('set', 'ports', MAX_WORD, { most: MAX_WORD, ...options });
}

/** A set of ids, for states. */
export function idSet(options: ListOptions = {}): Field<SmallSet> {
  return list('set', 'ids', largestId, options);
}

/** The largest legal value of a field in this run. */
export function limitOf(declared: Field<unknown>, scale: Scale): number {
  return resolve(declared.limit, scale);
}

/** The largest number that a list may hold. */
export function largestItemOf(declared: Field<unknown>, scale: Scale): number {
  return resolve(declared.largestItem, scale);
}

function resolve(declared: Limit, scale: Scale): number {
  const limit = typeof declared === 'function' ? declared(scale) : declared;
  if ((limit | 0) === limit && limit >= 0) return limit;
  throw new InputError(
    `the largest value of a field must be a whole number from 0 to ${MAX_WORD}, not ${limit}`,
  );
}

/** The bits that the values 0..max take: ceil(log2(max + 1)). */
export function bitsFor(max: number): number {
  let bits = 0;
  for (let rest = max; rest >= 1; rest = Math.floor(rest / 2)) bits++;
  return bits;
}
