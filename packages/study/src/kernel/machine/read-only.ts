/** What an invariant sees: fields that cannot be written, and lists that cannot be changed. */
import { ProtocolError } from '../errors.ts';

/** The methods of lists and sets that change them. */
const WRITES: ReadonlySet<string | symbol> = new Set(
  'add clear copyWithin delete fill hold pop push reverse shift sort splice unshift'.split(' '),
);

/** Returns the same lists for reading. */
export function readOnlyGetter(field: string, get: () => unknown): () => unknown {
  let list: unknown;
  let shown: unknown;
  return () => {
    const value = get();
    if (!Array.isArray(value)) return value;
    if (value !== list) [list, shown] = [value, readOnlyList(field, value)];
    return shown;
  };
}

function readOnlyList(field: string, list: number[]): number[] {
  const refuse = (): never => refuseWrite(field);
  return new Proxy(list, {
    get(target, name) {
      if (WRITES.has(name)) return refuse;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: refuse,
    deleteProperty: refuse,
    defineProperty: refuse,
  });
}

export function refuseWrite(field: string): never {
  throw new ProtocolError(
    `an invariant must only read the state, and writes '${field}': compute a value of your own`,
  );
}
