/** Parses a list of sizes: numbers, and ranges that double, add or multiply. */
import { MOST_NODES } from '../../../kernel/driver.ts';
import { InputError } from '../../../kernel/index.ts';

export const SIZES_HELP =
  'a list of sizes and ranges: 8,16,32; 16..4096 (doubling); 10..100+10 (adding); 1..1000x10 (multiplying)';

const RANGE = /^(\d+)\.\.(\d+)(?:([+x])(\d+))?$/;
const MOST_SIZES = 10_000;

/** Ascending, without duplicates. The end of a range is included only if the steps reach it. */
export function parseSizes(text: string): number[] {
  const sizes = new Set<number>();
  for (const item of text.split(',')) {
    for (const size of sizesOf(item, text)) {
      sizes.add(size);
      if (sizes.size > MOST_SIZES) {
        throw new InputError(`--nodes must be at most ${MOST_SIZES} sizes, not those of '${text}'`);
      }
    }
  }
  return [...sizes].sort((one, other) => one - other);
}

function* sizesOf(item: string, text: string): Generator<number> {
  const refuse = (): never => {
    throw new InputError(`--nodes must be ${SIZES_HELP}, not '${text}'`);
  };
  if (/^\d+$/.test(item)) return yield Number(item);
  const [, first, last, sign = 'x', step = '2'] = RANGE.exec(item) ?? refuse();
  const [from, to, by] = [Number(first), Number(last), Number(step)];
  if (to < from || to > MOST_NODES || from < 1 || by < (sign === 'x' ? 2 : 1)) refuse();
  for (let size = from; size <= to; size = sign === 'x' ? size * by : size + by) yield size;
}
