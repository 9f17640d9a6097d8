/**
 * The fields of a state or a message.
 *
 * A field is declared once. The declaration determines its word in a record, its size in bits on a link, the check of
 * every value written into it, and the type that a handler sees. Every field is one 32-bit word; the word of a list, or of a
 * counter that does not fit a word, is the index of its entry in a table of lists.
 *
 * Not here: how records are stored. The simulator keeps them in one array, the checker in packed states.
 */
import { InputError } from './errors.ts';
import type { SmallSet } from './machine/state-list.ts';
import type { Setting } from './params.ts';

/** No id, or no port. It is smaller than every id, so `id > state.best` needs no special case. */
export const NONE = -1;

/** The largest id or counter that fits a word. */
export const MAX_WORD = 0x7fff_ffff;

/** What a limit can depend on: the size of the run and its parameters. */
export interface Scale {
  readonly n: number;
  readonly largestId: number;
  readonly params: Readonly<Record<string, Setting>>;
}

/** A largest valid value: a number, or a function of the run. */
export type Limit = number | ((scale: Scale) => number);

/** The kinds of fields. */
export type FieldKind = 'id' | 'counter' | 'wide counter' | 'flag' | 'choice' | 'port' | 'list' | 'set';

/** The declaration of a value in a state or a message. */
export interface Field<V> {
  readonly kind: FieldKind;
  /** The field survives a crash: it is stored before the messages of the handler that wrote it leave. */
  readonly durable: boolean;
  /** The word in a new record. */
  readonly initial: number;
  /** NONE is a valid value. */
  readonly optional: boolean;
  /** The largest value, or the greatest length of a list. */
  readonly limit: Limit;
  /** For a list: the noun for its items, and the largest item. */
  readonly items: string;
  readonly largestItem: Limit;
  /** The largest value of a wide counter, which is kept as a list: empty for 0, otherwise of one number. */
  readonly largest: number;
  readonly names: readonly string[];
  /** An unbounded counter, of which only the differences to other such counters matter. */
  readonly relative: boolean;
  /** In a state: the field is never read while the named choice has one of these values. */
  readonly unread: Readonly<Record<string, readonly string[]>>;
  /** Exists only as a type: what a handler reads and writes. */
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
    largest: 0,
    relative: false,
    unread: {},
  };
  return { kind, durable: false, ...plain, ...options };
}

/** True if the word of the field is an index into a table of lists. */
export function isList({ kind }: Field<unknown>): boolean {
  return kind === 'list' || kind === 'set' || kind === 'wide counter';
}

/** An id or NONE, initially NONE. */
export function id(options: Durability = {}): Field<number> {
  return field('id', { initial: NONE, optional: true, limit: (scale) => scale.largestId, ...options });
}

/** Options of a counter. */
export interface CounterOptions extends Durability {
  /** The counter is unbounded, and only its differences to other such counters matter, as with round numbers. */
  readonly relative?: boolean;
  /** The field is never read while the named choice has one of these values. */
  readonly unread?: Readonly<Record<string, readonly string[]>>;
}

/** A whole number from 0 to max, initially 0. A constant max may be up to 2^53 − 1, one that depends on the run up to 2^31 − 1. */
export function counter(max: Limit, options: CounterOptions = {}): Field<number> {
  if (typeof max === 'number' && max > MAX_WORD) {
    if (!Number.isSafeInteger(max)) refuseLimit(max, Number.MAX_SAFE_INTEGER);
    return field('wide counter', { largest: max, ...options });
  }
  return field('counter', { limit: max, ...options });
}

/** A boolean, false at first unless `initially` is set. */
export function flag(options: Durability & { readonly initially?: boolean } = {}): Field<boolean> {
  return field('flag', { initial: options.initially ? 1 : 0, durable: options.durable ?? false });
}

/** One of the given names, initially the first. */
export function choice<const N extends readonly string[]>(
  names: N,
  options: Durability = {},
): Field<N[number]> {
  return field('choice', { names, limit: names.length - 1, ...options });
}

/** A port or NONE, initially NONE. */
export function port(options: Durability = {}): Field<number> {
  return field('port', { initial: NONE, optional: true, limit: MAX_WORD, ...options });
}

/** Options of a list. */
export interface ListOptions extends Durability {
  /** The greatest length; n by default. */
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

/** A list of ids, initially empty. A handler may push to the list of its state; sending or assigning a list copies it. */
export function ids(options: ListOptions = {}): Field<number[]> {
  return list('list', 'ids', largestId, options);
}

/** A list of whole numbers from 0 to max. */
export function counters(max: Limit, options: ListOptions = {}): Field<number[]> {
  return list('list', 'counters', max, options);
}

/** A list of ports in the order of insertion, for states. */
export function ports(options: ListOptions = {}): Field<number[]> {
  return list('list', 'ports', MAX_WORD, { most: MAX_WORD, ...options });
}

/**
 * A set of ports, for states. Sets compare equal regardless of insertion order, so the checker sees one state, not one per
 * order.
 */
export function portSet(options: ListOptions = {}): Field<SmallSet> {
  return list('set', 'ports', MAX_WORD, { most: MAX_WORD, ...options });
}

/** A set of ids, for states. */
export function idSet(options: ListOptions = {}): Field<SmallSet> {
  return list('set', 'ids', largestId, options);
}

/** The largest valid value of a field in this run. */
export function limitOf(declared: Field<unknown>, scale: Scale): number {
  return resolve(declared.limit, scale);
}

/** The largest valid item of a list in this run. */
export function largestItemOf(declared: Field<unknown>, scale: Scale): number {
  return resolve(declared.largestItem, scale);
}

function resolve(declared: Limit, scale: Scale): number {
  const limit = typeof declared === 'function' ? declared(scale) : declared;
  if ((limit | 0) === limit && limit >= 0) return limit;
  return refuseLimit(limit, MAX_WORD);
}

function refuseLimit(limit: number, most: number): never {
  throw new InputError(`the limit of a field must be a whole number from 0 to ${most}, not ${limit}`);
}

/** The number of bits for the values 0 to max: ceil(log2(max + 1)). */
export function bitsFor(max: number): number {
  let bits = 0;
  for (let rest = max; rest >= 1; rest = Math.floor(rest / 2)) bits++;
  return bits;
}
