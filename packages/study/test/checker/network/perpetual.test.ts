import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../../src/checker/index.ts';
import { searchAll } from '../../../src/checker/search/search.ts';
import { runSlices } from '../../../src/checker/search/slices.ts';
import { StateStore } from '../../../src/checker/search/state-store.ts';
import type { System, Visit } from '../../../src/checker/search/system.ts';
import { type AnyAlgorithm, defineAlgorithm, flag, message } from '../../../src/kernel/index.ts';
import { systemOf } from './explored.ts';
import { comparePerpetual, perpetual } from './perpetual.ts';

/** Beats circulate without end, and commute with everything. A node that hears a vote leads, if it `mayLead`. */
function beating(mayLead: (id: number) => boolean): AnyAlgorithm {
  return defineAlgorithm({
    name: 'beating',
    title: 'Beating',
    source: 'none',
    cost: 'none',
    assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
    params: {},
    state: { heard: flag() },
    messages: { beat: message(), vote: message() },
    laws: [],
    horizon: () => 10,
    onStart(_state, ctx) {
      ctx.send(1, 'beat');
      ctx.send(1, 'vote');
    },
    on: {
      beat(_state, _port, _message, ctx) {
        ctx.send(1, 'beat');
      },
      vote(state, _port, _message, ctx) {
        state.heard = true;
        if (mayLead(ctx.id)) ctx.decide('leader');
      },
    },
  });
}

describe('partial-order reduction of algorithms that never terminate', () => {
  it('delivers a vote although a beat that goes round forever commutes with it', () => {
    const everyNodeLeads = beating(() => true);
    const { violations } = check(everyNodeLeads, { nodes: 2 });
    expect(violations.map(({ property, steps }) => [property, steps.length])).toEqual([['uniqueness', 4]]);
  });

  it('is complete and smaller than the full search', () => {
    const right = beating((id) => id === 3);
    const reduced = check(right, { nodes: 3 });
    const full = check(right, { nodes: 3, reduce: 'none' });
    expect(reduced).toMatchObject({
      complete: true,
      termination: 'unchecked',
      reductions: ['partial-order'],
    });
    expect(full).toMatchObject({ complete: true, termination: 'unchecked', reductions: [] });
    expect(reduced.states).toBeLessThan(full.states);
  });

  it('is not used where termination is checked and the reduced graph has a cycle', () => {
    const { horizon: _horizon, ...endless } = beating((id) => id === 3);
    const { reductions, violations } = check(endless, { nodes: 3 });
    expect(reductions).toEqual([]);
    expect(violations[0]).toMatchObject({ property: 'termination' });
  });

  it('misses no violation and no terminal state of random algorithms', () => {
    const { full, reduced, violated } = comparePerpetual(200, 1000);
    // A reduction that never reduces proves nothing.
    expect(reduced).toBeLessThan(full);
    expect(violated).toBeGreaterThan(20);
  });

  it('does not depend on the order in which the states of a level are found', () => {
    let reduced = 0;
    fc.assert(
      fc.property(perpetual, ({ algorithm, options }) => {
        const run = (arrange: (system: System) => System) => {
          const system = arrange(systemOf(algorithm, options, true));
          const seen = new StateStore(system.width, system.order);
          const result = runSlices(searchAll(system, seen, { states: 2000, bytes: 1e9 }));
          fc.pre(result.seen.count <= 2000);
          const { isReduced, levels, terminal, transitions } = result;
          if (isReduced) reduced++;
          return { states: seen.count, levels, terminal, transitions, isReduced };
        };
        expect(run(backwards)).toEqual(run((system) => system));
      }),
      { numRuns: 100 },
    );
    expect(reduced).toBeGreaterThan(50);
  });
});

/** Visits the steps of every state in the opposite order. */
function backwards(system: System): System {
  const turned = <R>(
    expand: (state: Uint16Array, next: Uint16Array, visit: Visit) => R,
  ): ((state: Uint16Array, next: Uint16Array, visit: Visit) => R) => {
    return (state, next, visit) => {
      const visits: (() => void)[] = [];
      const result = expand.call(system, state, next, (step, violation) => {
        const to = Uint16Array.from(next);
        visits.push(() => {
          next.set(to);
          visit(step, violation);
        });
      });
      for (const one of visits.reverse()) one();
      return result;
    };
  };
  return Object.create(system, {
    expand: { value: turned(system.expand) },
    expandPersistent: { value: turned(system.expandPersistent as NonNullable<System['expandPersistent']>) },
  });
}
