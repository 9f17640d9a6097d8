/** A disturbance in which messages of one epoch arrive in the next. */
import type { SimulatedCluster } from './simulated-cluster.ts';

/** A member comes and goes while elections are under way, and some links are slower than the next epoch begins. */
export async function disturb(
  cluster: SimulatedCluster,
  ids: readonly number[],
  restless: number,
): Promise<void> {
  for (const from of ids)
    for (const to of ids) if (cluster.random.chance(0.4)) cluster.network.slow(from, to, 800);
  for (let k = 0; k < 4; k++) {
    cluster.crash(restless);
    await cluster.time.runUntil(cluster.time.nowMs + 200 * k);
    cluster.start(restless);
    await cluster.time.runUntil(cluster.time.nowMs + 150 * (4 - k));
  }
}
