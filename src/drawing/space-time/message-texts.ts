/** The label of an arrow: the message in full, or abbreviated if space is short. */
import type { Arrow } from './arrows.ts';

/** The abbreviation of each type; '' if its values and the style of its arrow are sufficient. */
export type Abbreviations = ReadonlyMap<string, string>;

/** The shortest unique prefix among types that are drawn alike. */
export function abbreviate(arrows: readonly Arrow[]): Abbreviations {
  const short = new Map<string, string>();
  for (const purpose of ['election', 'announcement', 'upkeep']) {
    const alike = arrows.filter((arrow) => arrow.purpose === purpose);
    const types = [...new Set(alike.map(({ flight }) => flight.message.type))];
    for (const type of types) short.set(type, types.length === 1 ? '' : uniqueBeginning(type, types));
  }
  return short;
}

function uniqueBeginning(type: string, types: readonly string[]): string {
  for (let length = 1; length < type.length; length++) {
    const beginning = type.slice(0, length);
    if (types.filter((other) => other.startsWith(beginning)).length === 1) return beginning;
  }
  return type;
}

/** The full text first. */
export function textsOf({ flight: { message } }: Arrow, short: Abbreviations): string[] {
  const { type, ...fields } = message;
  const values = Object.values(fields)
    .map((value) => (Array.isArray(value) ? `[${value.join(' ')}]` : String(value)))
    .join(',');
  const full = `${type} ${values}`.trim();
  const brief = `${short.get(type) ?? type} ${values}`.trim();
  return brief === '' || brief === full ? [full] : [full, brief];
}

/** 'p = probe, r = reply'; empty if nothing was abbreviated. */
export function explain(short: Abbreviations): string {
  return [...short]
    .filter(([type, brief]) => brief !== '' && brief !== type)
    .map(([type, brief]) => `${brief} = ${type}`)
    .join(', ');
}
