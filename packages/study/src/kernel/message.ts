/**
 * The messages of an algorithm. Each type is an ordered list of named fields: `ctx.send(port, 'token', id)` gives them by
 * place, as papers write send ⟨token, id⟩, and a handler reads them by name.
 */
import type { Field } from './field.ts';

/** A field of a message, with its name. */
export type NamedField = readonly [name: string, field: Field<unknown>];

/** The declaration of one type of message. */
export interface MessageType<F extends readonly NamedField[] = readonly NamedField[]> {
  readonly fields: F;
  /** The message announces the result, and is counted separately from the election. */
  readonly announces: boolean;
  /** The message belongs neither to the election nor to its announcement, such as a heartbeat. */
  readonly upkeep: boolean;
}

/** The messages of an algorithm by type. */
export type Messages = Readonly<Record<string, MessageType>>;

/** A message of the election: its fields, each a name and a field. */
export function message<const F extends readonly NamedField[]>(...fields: F): MessageType<F> {
  return { fields, announces: false, upkeep: false };
}

/** A message that announces the result; counted apart. */
export function announcement<const F extends readonly NamedField[]>(...fields: F): MessageType<F> {
  return { fields, announces: true, upkeep: false };
}

/** A message such as a heartbeat: counted in the total and by type, but not as part of the election or its announcement. */
export function upkeep<const F extends readonly NamedField[]>(...fields: F): MessageType<F> {
  return { fields, announces: false, upkeep: true };
}

type ValueOf<F> = F extends Field<infer V> ? V : never;

type ByPlace<F extends readonly NamedField[]> = {
  -readonly [I in keyof F]: F[I] extends readonly [string, infer G] ? Given<ValueOf<G>> : never;
};

type Given<V> = V extends number[] ? readonly number[] : V;

/** The fields of one type of message by place, for `send`. */
export type Sent<T extends MessageType> = ByPlace<T['fields']>;

type ByName<F extends readonly NamedField[]> = {
  readonly [P in F[number] as P[0]]: Given<ValueOf<P[1]>>;
};

/** A message of one type as a handler sees it. It is valid only during the call. */
export type ReceivedAs<M extends Messages, T extends keyof M & string> = { readonly type: T } & ByName<
  M[T]['fields']
>;

/** A message of any type, discriminated by `type`. */
export type Received<M extends Messages> = { [T in keyof M & string]: ReceivedAs<M, T> }[keyof M & string];
