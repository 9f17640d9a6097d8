/** Every algorithm, one line each, in the order in which lists show them. */
import type { AnyAlgorithm } from '../kernel/index.ts';
import { changRoberts } from './ring/chang-roberts.ts';

export const registry: readonly AnyAlgorithm[] = [changRoberts];
