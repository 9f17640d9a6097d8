/** Runs of the view simulation, and what must hold when nothing has changed for a while. */
import { type ViewMutant, ViewSimulation } from './view-simulation.ts';

/** Long enough for the detection, and for the largest pause several times. */
export const REST_MS = 25_000;

/** Epochs that one change may cost. */
export const MAX_EPOCHS = 2;

/** What must hold when nothing has changed for a while; null if it does. */
function flaw(simulation: ViewSimulation): string | null {
  const { alive } = simulation;
  for (const id of alive) {
    const epoch = simulation.epochOf(id);
    if (epoch === null) continue;
    for (const other of epoch.members) {
      if (JSON.stringify(simulation.epochOf(other)) !== JSON.stringify(epoch))
        return `${id} is in ${JSON.stringify(epoch)}, and ${other} in ${JSON.stringify(simulation.epochOf(other))}`;
      if (other !== id && !simulation.areConnected(id, other))
        return `${id} and ${other} share an epoch across a cut`;
    }
  }
  const [least] = alive;
  if (simulation.epochOf(least) === null) return `${least}, the smallest, is in no epoch`;
  const isComplete = alive.every((a) => alive.every((b) => a === b || simulation.areConnected(a, b)));
  if (isComplete && simulation.epochOf(least)?.members.join() !== alive.join())
    return `all of ${alive} hear each other, and the epoch is ${JSON.stringify(simulation.epochOf(least))}`;
  return null;
}

/** No two epochs may have the same number, and no incarnation may enter an epoch that another one of the same member was in. */
function reused({ entries }: ViewSimulation): string | null {
  const by = new Map<string, number>();
  const members = new Map<number, string>();
  for (const { epoch, id, incarnation } of entries) {
    const text = `${epoch.proposer}: ${epoch.members}`;
    if ((members.get(epoch.number) ?? text) !== text) return `number ${epoch.number} names two epochs`;
    members.set(epoch.number, text);
    const key = `${id} ${epoch.number} ${epoch.proposer}`;
    const earlier = by.get(key);
    if (earlier !== undefined && earlier !== incarnation) return `${key} was entered by two incarnations`;
    by.set(key, incarnation);
  }
  return null;
}

interface SeedReport {
  readonly flaw: string | null;
  /** The largest number of proposals after one change. */
  readonly most: number;
}

export async function runSeed(seed: number, mutant: ViewMutant = {}, changes = 8): Promise<SeedReport> {
  const n = 2 + (seed % 6);
  const simulation = new ViewSimulation(n, seed, mutant);
  let most = 0;
  const log: string[] = [];
  for (let k = 0; k <= changes; k++) {
    const before = new Set(simulation.entries.map(keyOf)).size;
    if (k > 0) log.push(simulation.fault());
    await simulation.time.runUntil(simulation.time.nowMs + REST_MS);
    const proposals = new Set(simulation.entries.map(keyOf)).size - before;
    if (k > 0) most = Math.max(most, proposals);
    const found = (simulation.alive.length > 0 ? flaw(simulation) : null) ?? reused(simulation);
    if (found !== null) return { flaw: `seed ${seed}, after ${log.join(', ')}: ${found}`, most };
  }
  return { flaw: null, most };
}

function keyOf({ epoch }: ViewSimulation['entries'][number]): string {
  return `${epoch.number} ${epoch.proposer} ${epoch.members}`;
}
