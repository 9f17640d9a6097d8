/** `--metadata KEY=VALUE`, which may be given several times. */
import { InputError } from '@hustings/base';
import { checkMetadata, type LeaderMetadata } from '../../lease/core/term-data.ts';

/** Collects the values of the repeated option. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

export function parseMetadata(pairs: readonly string[] | undefined): LeaderMetadata | undefined {
  if (pairs === undefined) return undefined;
  const entries = pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    if (at < 1) {
      throw new InputError(
        `--metadata must be KEY=VALUE, such as address=10.0.0.7:80, not ${JSON.stringify(pair)}`,
      );
    }
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  const repeated = entries.find(([key], index) => entries.findIndex(([other]) => other === key) < index);
  if (repeated !== undefined) {
    throw new InputError(`--metadata names ${JSON.stringify(repeated[0])} twice; give each key once`);
  }
  return checkMetadata(Object.fromEntries(entries));
}
