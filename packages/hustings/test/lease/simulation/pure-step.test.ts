/** A step writes only to objects that it has made itself. */
import { describe, expect, it } from 'vitest';
import type { ClockReading } from '../../../src/lease/core/clock-reading.ts';
import { LeaseCore } from '../../../src/lease/core/lease-core.ts';
import type { Input, Output } from '../../../src/lease/core/lease-event.ts';
import { type Make, RIGHT } from './mutant.ts';
import { planOf } from './plan.ts';
import { failureOf } from './replay.ts';

const WORLDS = 12;
const PHASES = ['acquiring', 'idle', 'leading', 'releasing', 'stopping', 'waiting', 'withdrawing'];

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

describe('a step of the core', () => {
  it('changes neither the state before it, nor its input, nor what an earlier step returned', () => {
    const phases = new Set<string>();
    /** A write to a frozen object throws. */
    class FrozenCore extends LeaseCore {
      override step(input: Input, now: ClockReading): readonly Output[] {
        phases.add(this.phase);
        this.state = frozen(this.state);
        return frozen(super.step(frozen(input), frozen(now)));
      }
    }
    const make: Make = { ...RIGHT, core: (options) => new FrozenCore(options) };
    for (let seed = 0; seed < WORLDS; seed++) expect(failureOf(planOf(seed), make)).toBeNull();
    expect([...phases].sort()).toEqual(PHASES);
  });
});
