/** Random mutants of an algorithm in random small elections, judged by both searches and by simulations. */
import { type AnyAlgorithm, InputError } from '../../src/kernel/index.ts';
import { Random } from '../../src/kernel/random.ts';
import { casesOf, searchesOf } from '../algorithms/read-cases.ts';
import { compile, type MutableSource, sourceOf } from './mutant-source.ts';
import { type Comparison, compareVerdicts, type Limits, type SmallElection } from './three-verdicts.ts';

export interface Amounts extends Limits {
  readonly mutants: number;
  readonly elections: number;
  readonly maxNodes: number;
}

export interface MutantTally {
  conclusive: number;
  violated: number;
  full: number;
  reduced: number;
  simulations: number;
  failed: number;
}

/** The unchanged algorithm comes first. */
export async function judgeMutants(
  algorithm: AnyAlgorithm,
  amounts: Amounts,
  seed: number,
): Promise<MutantTally> {
  const random = new Random(seed, algorithm.name);
  const source = await sourceOf(algorithm);
  const tally = { conclusive: 0, violated: 0, full: 0, reduced: 0, simulations: 0, failed: 0 };
  for (let k = 0; k <= amounts.mutants; k++) {
    const mutation = k === 0 ? null : source.mutations[random.below(source.mutations.length)];
    for (let e = 0; e < amounts.elections; e++) {
      const election = randomElection(algorithm, amounts.maxNodes, random);
      const compared = judge(algorithm, source, mutation, election, amounts, random);
      if (compared === null) continue;
      if (mutation === null && compared.isViolated && !algorithm.assumes.mayErr)
        throw new Error(`${algorithm.name} itself is violated in ${JSON.stringify(election)}`);
      if (compared.isConclusive) tally.conclusive++;
      if (compared.isViolated) tally.violated++;
      tally.full += compared.full;
      tally.reduced += compared.reduced;
      tally.simulations += compared.simulations;
      tally.failed += compared.failed;
    }
  }
  return tally;
}

/** Null if the mutant, or its parameters, are refused before anything runs. */
function judge(
  algorithm: AnyAlgorithm,
  source: MutableSource,
  mutation: MutableSource['mutations'][number] | null,
  election: SmallElection,
  amounts: Amounts,
  random: Random,
): Comparison | null {
  const searchedAs = casesOf(algorithm).searchedAs ?? ((same: AnyAlgorithm) => same);
  try {
    const subject = searchedAs(compile(source, mutation));
    return compareVerdicts(subject, election, amounts, random);
  } catch (error) {
    if (error instanceof InputError) return null;
    const what = mutation === null ? 'as it is' : `with ${mutation.text}`;
    throw new Error(`${algorithm.name} ${what}: ${String(error)}, in ${JSON.stringify(election)}`);
  }
}

/** One of the searches of the algorithm, on at most `most` nodes, with random ids, initiators and faults. */
function randomElection(algorithm: AnyAlgorithm, most: number, random: Random): SmallElection {
  const searches = searchesOf(algorithm);
  const base = searches[random.below(searches.length)];
  const { assumes } = algorithm;
  const largest = base.nodes ?? most;
  const nodes = largest <= most ? largest : 2 + random.below(most - 1);
  const ids = Int32Array.from({ length: nodes }, (_, at) => at + 1);
  random.shuffle(ids);
  const isAll = random.below(2) === 0;
  const some = Array.from(ids.keys()).filter(() => isAll || random.below(2) === 0);
  const starts = (['free', 'first', 'together'] as const)[random.below(3)];
  // One node may be dead at first, and one must survive.
  const crashes = Math.min(base.crashes ?? 0, Math.max(0, nodes - 2));
  return {
    nodes,
    ...(assumes.ids === 'unique' ? { ids: Array.from(ids) } : {}),
    topology: base.topology,
    ...(assumes.timing === 'synchronous' ? {} : { initiators: some.length > 0 ? some : [0] }),
    set: base.set,
    search: {
      bound: base.bound,
      crashes,
      recoveries: crashes === 0 ? 0 : base.recoveries,
      losses: base.losses,
      ...(assumes.timing === 'asynchronous' ? { starts, fifo: assumes.fifo || random.below(2) === 0 } : {}),
    },
  };
}
