/**
 * The encoding of messages as records of words: a header, then one slot for each field name of any type, so `message.id` is
 * the same word for every type. Also the size of a message in bits, its values for a trace, and the check of messages from an
 * untrusted source.
 */
import { suggestion } from '@hustings/base';
import { InputError, ProtocolError } from '../errors.ts';
import { bitsFor, type Field, isList, limitOf, MAX_WORD, NONE, type Scale } from '../field.ts';
import type { Messages, NamedField } from '../message.ts';
import type { ListTable } from './list-table.ts';
import { MAX_TYPES, RECORD_HEADER, typeOf } from './message-buffer.ts';
import { type Cursor, RecordLayout, viewOf } from './record-layout.ts';

/** The largest number of fields of a message. */
export const MAX_FIELDS = 8;
/** Almost all types have at most this number of fields. */
const FEW_FIELDS = 5;

/** A message as a handler sees it. */
export type MessageView = Readonly<Record<string, unknown>> & { readonly type: string };

/** How many messages were sent, in all and by type. */
export interface MessageCounts {
  readonly total: number;
  readonly election: number;
  readonly announcement: number;
  /** Present only if the algorithm has upkeep messages. */
  readonly upkeep?: number;
  readonly byType: Readonly<Record<string, number>>;
}

/** The layout of messages as records of words. */
export class MessageCodec {
  /** Election messages first, then upkeep, then announcements. */
  readonly types: readonly string[];
  /** The slots of a record. */
  readonly layout: RecordLayout;
  /** The fields of all types, type by type: fields of the same name may have different limits. */
  readonly places: RecordLayout;
  /** The number of words of a record: the header and at least one slot. */
  readonly width: number;
  /** The index of the first upkeep type. */
  readonly firstUpkeep: number;
  /** The index of the first announcement type. */
  readonly firstAnnouncement: number;
  readonly arity: Uint8Array;
  /** Some type has more than FEW_FIELDS fields. */
  readonly isWide: boolean;
  /** The slots of type t are slots[firstPlace[t]], slots[firstPlace[t] + 1], … */
  readonly firstPlace: Uint16Array;
  readonly slots: Uint16Array;
  /** By place: the smallest number that is its own word. */
  readonly least: Int32Array;
  private readonly placesByType: readonly (readonly number[])[];
  private readonly slotsByType: readonly (readonly number[])[];

  constructor(owner: string, messages: Messages) {
    const entries = Object.entries(messages);
    const elect = entries.filter(([, type]) => !type.announces && !type.upkeep);
    const keep = entries.filter(([, type]) => type.upkeep);
    const inOrder = [...elect, ...keep, ...entries.filter(([, type]) => type.announces)];
    this.types = inOrder.map(([name]) => name);
    this.firstUpkeep = elect.length;
    this.firstAnnouncement = elect.length + keep.length;
    if (this.types.length > MAX_TYPES) {
      throw new InputError(
        `${owner} has ${this.types.length} types of messages, at most ${MAX_TYPES} are allowed`,
      );
    }
    const named = new Map<string, Field<unknown>>();
    const slots: number[] = [];
    const firstPlace: number[] = [];
    for (const [type, { fields }] of inOrder) {
      if (fields.length > MAX_FIELDS) {
        throw new InputError(
          `${owner}: message ${type} has ${fields.length} fields, at most ${MAX_FIELDS} are allowed`,
        );
      }
      firstPlace.push(slots.length);
      for (const [name, field] of fields) {
        const known = named.get(name);
        if (field.kind === 'set' || field.items === 'ports') {
          throw new InputError(
            `${owner}: field '${name}' of message ${type} is for states only: send ids() or counters()`,
          );
        }
        const isAlike = known !== undefined && likeness(known) === likeness(field);
        if (name === 'type' || (known !== undefined && !isAlike)) {
          throw new InputError(
            `${owner}: field '${name}' of message ${type} clashes with another of that name`,
          );
        }
        if (known === undefined) named.set(name, field);
        slots.push([...named.keys()].indexOf(name));
      }
    }
    this.layout = new RecordLayout([...named.entries()] as NamedField[]);
    this.places = new RecordLayout(inOrder.flatMap(([, { fields }]) => fields));
    this.width = RECORD_HEADER + Math.max(1, this.layout.width);
    this.arity = Uint8Array.from(inOrder, ([, type]) => type.fields.length);
    this.isWide = this.arity.some((fields) => fields > FEW_FIELDS);
    this.firstPlace = Uint16Array.from(firstPlace);
    this.slots = Uint16Array.from(slots);
    this.placesByType = inOrder.map(([, { fields }], type) => fields.map((_, k) => firstPlace[type] + k));
    this.slotsByType = this.placesByType.map((places) => places.map((place) => slots[place]));
    // Flags, choices and lists must be encoded, so no number qualifies.
    this.least = Int32Array.from(this.places.fields, ({ kind, optional }) =>
      kind === 'id' || kind === 'counter' || kind === 'port' ? (optional ? NONE : 0) : MAX_WORD,
    );
  }

  /** A linear search, which is faster than a map for a few types. */
  indexOf(type: string): number {
    const types = this.types;
    for (let index = 0; index < types.length; index++) if (types[index] === type) return index;
    const has = `it has ${types.join(', ')}${suggestion(String(type), types)}`;
    if (typeof type !== 'string')
      throw new ProtocolError(
        `ctx.send(port, type, ...fields) takes a port and a type of message, not ${typeof type} as the type: ${has}`,
      );
    throw new ProtocolError(`'${type}' is not a message of this algorithm: ${has}`);
  }

  /** The largest value of each field, by place. */
  limits(scale: Scale): Int32Array {
    return this.places.limits(scale);
  }

  /** The word for a value of a field; throws if the value is not allowed. */
  encode(place: number, value: unknown, limits: Int32Array, lists: ListTable): number {
    if (!isList(this.places.fields[place])) return this.places.encode(place, value, limits);
    return lists.addFixed(this.places.toList(place, value, limits));
  }

  /** Throws an error that names the fields of a type in order. */
  refuseArity(type: number, given: number): never {
    const names = this.placesOf(type).map((place) => this.places.names[place]);
    const call = `ctx.send(${['port', `'${this.types[type]}'`, ...names].join(', ')})`;
    const takes = `${names.length} field${names.length === 1 ? '' : 's'}`;
    const missing = given < names.length ? `: '${names[given]}' is missing` : '';
    throw new ProtocolError(`${call} takes ${takes}, not ${given}${missing}`);
  }

  /** Gives a copied record lists of its own. */
  ownLists(words: Int32Array, base: number, lists: ListTable): void {
    if (this.layout.lists.length === 0) return;
    for (const place of this.listPlaces(words, base)) words[place] = lists.copy(words[place]);
  }

  /** Frees the lists of a record. */
  releaseLists(words: Int32Array, base: number, lists: ListTable): void {
    if (this.layout.lists.length === 0) return;
    for (const place of this.listPlaces(words, base)) lists.release(words[place]);
  }

  /** The bits of the list items of a record; `bits` includes the lengths of lists. */
  itemBits(words: Int32Array, base: number, lists: ListTable, limits: Int32Array): number {
    let sum = 0;
    for (const place of this.placesOf(typeOf(words, base))) {
      if (!isList(this.places.fields[place])) continue;
      const { length } = lists.at(words[base + RECORD_HEADER + this.slots[place]]);
      sum += length * bitsFor(limits[this.places.width + place]);
    }
    return sum;
  }

  /** The words of a record that are handles of lists. */
  private listPlaces(words: Int32Array, base: number): number[] {
    const slots = this.slotsOf(typeOf(words, base));
    return slots
      .filter((slot) => this.layout.lists.includes(slot))
      .map((slot) => base + RECORD_HEADER + slot);
  }

  private placesOf(type: number): readonly number[] {
    return this.placesByType[type];
  }

  /** The slots of the fields of a type. */
  slotsOf(type: number): readonly number[] {
    return this.slotsByType[type];
  }

  /**
   * The views of the current message by type: `type`, and the fields of that type by name. A view of all fields would show
   * in those of other types what an earlier record has left there.
   */
  views(cursor: Cursor): MessageView[] {
    return this.types.map((type, index) => {
      const shape = { type, slots: this.slotsOf(index), header: RECORD_HEADER };
      return viewOf(this.layout, cursor, shape) as MessageView;
    });
  }

  /** The bits of a message of each type with empty lists. */
  bits(scale: Scale): number[] {
    const ofType = bitsFor(this.types.length - 1);
    return this.types.map((_, type) => {
      let sum = ofType;
      for (const place of this.placesOf(type))
        sum += bitsFor(this.places.fields[place].largest || limitOf(this.places.fields[place], scale));
      return sum;
    });
  }

  /** Sums numbers of sent messages, which are given by type. */
  counts(sent: ArrayLike<number>): MessageCounts {
    const sum = (first: number, end: number): number =>
      Array.from(sent)
        .slice(first, end)
        .reduce((all, count) => all + count, 0);
    const { firstAnnouncement, firstUpkeep, types } = this;
    return {
      total: sum(0, types.length),
      election: sum(0, firstUpkeep),
      announcement: sum(firstAnnouncement, types.length),
      ...(firstUpkeep < firstAnnouncement && { upkeep: sum(firstUpkeep, firstAnnouncement) }),
      byType: Object.fromEntries(types.map((type, index) => [type, sent[index]])),
    };
  }

  /** The values of a record by name, with the type first. */
  read(words: Int32Array, base: number, lists: ListTable): Record<string, unknown> {
    const type = typeOf(words, base);
    const values: Record<string, unknown> = { type: this.types[type] };
    for (const slot of this.slotsOf(type)) {
      const word = words[base + RECORD_HEADER + slot];
      values[this.layout.names[slot]] = isList(this.layout.fields[slot])
        ? this.layout.fromList(slot, lists.at(word))
        : this.layout.decode(slot, word);
    }
    return values;
  }

  /** Fills the slots of a record from untrusted values; throws if the declarations do not allow them. */
  write(values: unknown, words: Int32Array, base: number, limits: Int32Array, lists: ListTable): number {
    const given = (typeof values === 'object' && values !== null ? values : {}) as Record<string, unknown>;
    const type = this.indexOf(String(given.type));
    const added: number[] = [];
    try {
      for (const place of this.placesOf(type)) {
        const word = this.encode(place, given[this.places.names[place]], limits, lists);
        words[base + RECORD_HEADER + this.slots[place]] = word;
        if (isList(this.places.fields[place])) added.push(word);
      }
    } catch (error) {
      // Otherwise refused messages would fill the table.
      for (const handle of added) lists.release(handle);
      throw error;
    }
    return type;
  }
}

/** Fields of the same name share a slot, so they must have the same encoding. */
function likeness({ kind, items, names }: Field<unknown>): string {
  return [kind, items, ...names].join();
}
