/** Finds the cases of an algorithm, and derives from its model the searches that they do not name. */
import { existsSync, readdirSync } from 'node:fs';
import type { CheckOptions } from '../../src/checker/index.ts';
import type { AnyAlgorithm } from '../../src/kernel/index.ts';
import { type Cases, detectors, everything, orders } from './cases.ts';

const here = (path: string): URL => new URL(path, import.meta.url);

async function readCases(): Promise<ReadonlyMap<string, Cases>> {
  const found = new Map<string, Cases>();
  for (const network of readdirSync(here('.'), { withFileTypes: true })) {
    if (!network.isDirectory()) continue;
    for (const { name } of readdirSync(here(`${network.name}/`), { withFileTypes: true })) {
      const file = here(`${network.name}/${name}/${name}.cases.ts`);
      if (existsSync(file)) found.set(name, (await import(file.href)).cases);
    }
  }
  return found;
}

const cases = await readCases();

export function casesOf({ name }: AnyAlgorithm): Cases {
  return cases.get(name) ?? {};
}

/** Every order of ids and every set of initiators where the model has them, on four nodes; on three with faults. */
export function searchesOf(algorithm: AnyAlgorithm): readonly CheckOptions[] {
  const { timing, faults = [] } = algorithm.assumes;
  const own = casesOf(algorithm).searches;
  if (own !== undefined) return own;
  if (timing === 'synchronous') return [{ nodes: 5, ...orders }];
  if (timing === 'asynchronous') return [{ nodes: 4, ...everything }];
  return [{ nodes: 3, ...detectors, crashes: faults.includes('crash') ? 1 : 0 }];
}
