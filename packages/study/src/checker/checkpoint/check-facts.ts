/**
 * The facts that the result of a check depends on. A checkpoint is resumed only by a check with the same facts.
 *
 * Does not detect that the code of the algorithm has changed: the caller can give its identity in `checkpointFacts`.
 */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { InputError } from '../../kernel/errors.ts';
import type { Topology } from '../../kernel/network/topology.ts';
import type { Setup } from '../../kernel/setup.ts';
import { startsOf } from '../../kernel/world/rules.ts';
import { chosenInvariants } from '../../properties/invariants.ts';
import { type CheckOptions, invariantChoice } from '../check-options.ts';
import type { Facts } from './checkpoint.ts';
import { Checksum } from './checksum.ts';

/** Options of which a checkpoint has no results. */
export function refuseCosts({ best, worst }: CheckOptions): void {
  if ((best ?? worst) === undefined) return;
  const which = worst === undefined ? 'best' : 'worst';
  throw new InputError(`${which} cannot be saved in a checkpoint: leave out ${which}, or the checkpoint`);
}

/** Everything that the result of a check depends on, except the code. */
export function factsOf(given: Setup, options: CheckOptions): Facts {
  const { algorithm, anonymous, ids, nodes, params, topology } = given;
  const { initiators = 'all' } = options;
  return {
    ...options.checkpointFacts,
    algorithm: algorithm.name,
    nodes: `${nodes}`,
    network: topology.name,
    links: linksOf(topology),
    ids: anonymous ? 'anonymous' : ids.join(),
    set: Object.entries(params)
      .map(([name, value]) => `${name}=${value}`)
      .join(),
    orders: options.orders ?? 'one',
    initiators: typeof initiators === 'string' ? initiators : initiators.join(),
    starts: options.starts ?? startsOf(algorithm),
    crashes: `${options.crashes ?? 0}`,
    recoveries: `${options.recoveries ?? 0}`,
    losses: `${options.losses ?? 0}`,
    fifo: `${options.fifo ?? algorithm.assumes.fifo}`,
    delay: `${options.delay ?? 1}`,
    suspect: `${options.suspect ?? false}`,
    bound: Object.entries(options.bound ?? {})
      .map(([name, most]) => `${name}=${most}`)
      .sort()
      .join(),
    reduce: options.reduce ?? 'auto',
    invariants: invariantsOf(algorithm, options),
    fingerprints: `${options.fingerprints ?? false}`,
  };
}

/** Throws if the facts of a checkpoint are not those of this check. */
export function refuseOther(saved: Facts, facts: Facts): void {
  const name = [...Object.keys(facts), ...Object.keys(saved)].find((one) => saved[one] !== facts[one]);
  if (name === undefined) return;
  const text = (value: string | undefined): string => (value === undefined || value === '' ? 'none' : value);
  throw new InputError(
    `the checkpoint is of another check: its ${name} is ${text(saved[name])}, not ${text(facts[name])}`,
  );
}

function invariantsOf(algorithm: AnyAlgorithm, options: CheckOptions): string {
  const { network, node } = chosenInvariants(algorithm, invariantChoice(algorithm, options));
  return [...node, ...network].map(([name]) => name).join();
}

/** The number of links, and a checksum of where they lead: networks with the same name may differ. */
function linksOf(topology: Topology): string {
  const ends: number[] = [];
  for (let at = 0; at < topology.n; at++) {
    for (let port = 0; port < topology.degree(at); port++) {
      ends.push(at, topology.neighbour(at, port), topology.backPort(at, port));
    }
  }
  const checksum = new Checksum();
  checksum.add(Int32Array.from(ends));
  return `${topology.links} (checksum ${checksum.text})`;
}
