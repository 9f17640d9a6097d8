/** The durable fields of one node, as values for a record on disk, and back. */

import type { Machine } from '@hustings/study/driver';
import { isList } from '@hustings/study/internal/kernel/field';
import { InputError, MAX_WORD } from '@hustings/study/kernel';

/** The durable fields of a node by name. */
export function readDurable(machine: Machine, at: number): Record<string, unknown> {
  const { fields, names } = machine.layout;
  const values = machine.fieldsOf(at);
  return Object.fromEntries(
    names.filter((_, index) => fields[index].durable).map((name) => [name, values[name]]),
  );
}

/** Fills in the durable fields of a node; throws if the algorithm does not have them or does not allow their values. */
export function writeDurable(machine: Machine, at: number, durable: Readonly<Record<string, unknown>>): void {
  const { layout, lists, stateLimits, words } = machine;
  layout.fields.forEach((field, index) => {
    if (!field.durable) return;
    const name = layout.names[index];
    if (!Object.hasOwn(durable, name)) throw new InputError(`the saved state has no field '${name}'`);
    const place = at * layout.width + index;
    const value = durable[name];
    // A node may have voted for one that has been removed since.
    if (field.kind === 'id' && isId(value)) words[place] = value;
    else if (isList(field)) lists.refill(words[place], layout.toList(index, durable[name], stateLimits));
    else words[place] = layout.encode(index, durable[name], stateLimits);
  });
}

function isId(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_WORD;
}
