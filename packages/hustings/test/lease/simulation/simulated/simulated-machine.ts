/** A machine runs the processes of one candidate, one after the other. They share its clocks, its link and its name. */
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

  /** The running process, if any. */
  get live(): SimulatedProcess | null {
    return this.process?.isAlive ? this.process : null;
  }
}
