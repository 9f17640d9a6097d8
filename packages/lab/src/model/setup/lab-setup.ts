/** The setup of a run in the lab: what the sentence shows, what a link carries, what `hustings simulate` takes. */
import type { AnyAlgorithm } from '@hustings/study/kernel';
import type { SimulateOptions } from '@hustings/study/simulator';
import { findAlgorithm } from './algorithm-list.ts';

/** The options that a run in the lab has. Their names are those of the command line, in camel case. */
type RunOptions = Pick<
  SimulateOptions,
  | 'nodes'
  | 'order'
  | 'initiators'
  | 'seed'
  | 'crash'
  | 'recover'
  | 'loss'
  | 'lossUntil'
  | 'duplicate'
  | 'partition'
  | 'set'
  | 'despite'
  | 'until'
>;

/** Everything that determines a run. An option that is absent has the default of the command line. */
export interface LabSetup extends RunOptions {
  /** The name of an algorithm, a wrong twin included. */
  readonly algorithm: string;
  readonly ids?: readonly number[] | 'anonymous' | undefined;
  readonly topology?: string | undefined;
  readonly schedule?: 'lockstep' | 'random' | 'random:nofifo' | undefined;
}

/** The setup of a link without parameters. */
export const DEFAULT_SETUP: LabSetup = { algorithm: 'chang-roberts' };

/** The largest network that the lab simulates. */
export const MAX_LAB_NODES = 1_000_000;

/** The options for `simulate`, `resolvePlan` and the world. */
export function optionsOf({ algorithm: _, ...options }: LabSetup): SimulateOptions {
  return options;
}

/** The algorithm of a setup. A setup that was read from a link has one. */
export function algorithmOf({ algorithm }: LabSetup): AnyAlgorithm {
  const found = findAlgorithm(algorithm);
  if (found === undefined) throw new RangeError(`there is no algorithm '${algorithm}'`);
  return found;
}
