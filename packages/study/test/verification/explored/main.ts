/**
 * Compares random automata without a test runner: `hustings run packages/study/test/verification/explored/main.ts COUNT [SEED] [LIMIT]`, those
 * of the seeds from SEED on. Prints the counts after every 100 automata, and throws at the first difference.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareMany, type Sums } from './many-automata.ts';
import { SearchPool } from './search-pool.ts';

const [count = 1000, seed = 1, limit = 1500] = process.argv.slice(2).map(Number);
const startMs = performance.now();
const pool = await SearchPool.open();
let printed = 0;
const say = (sums: Sums): void => {
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  process.stdout.write(
    `seed ${seed}, ${seconds} s, ${pool.searches} searches in two threads: ${JSON.stringify(sums)}\n`,
  );
};
try {
  const sums = await compareMany(
    seed,
    count,
    { limit, threadsOf: (one) => pool.threadsOf(one) },
    async (sofar) => {
      await nextTurn();
      if (sofar.compared < printed + 100) return;
      printed = sofar.compared;
      say(sofar);
    },
  );
  say(sums);
} finally {
  await pool.close();
}
