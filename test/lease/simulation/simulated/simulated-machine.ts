/** Where the processes of one candidate run, one after the other: they share its clocks, its link and its name. */
import type { CandidateOptions } from '../../../../src/lease/core/candidate-options.ts';
import { type Link, newLink } from './network.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { VirtualClock } from './virtual-clock.ts';

export class SimulatedMachine {
  readonly link: Link = newLink();
  process: SimulatedProcess | null = null;
  starts = 0;

  constructor(
    readonly options: Omit<CandidateOptions, 'identity' | 'seed'>,
    readonly clock: VirtualClock,
  ) {}

  /** The process, if it lives. */
  get live(): SimulatedProcess | null {
    return this.process?.isAlive ? this.process : null;
  }
}
