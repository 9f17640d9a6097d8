import { describe, expect, it } from 'vitest';
import { registry } from '../../src/algorithms/registry.ts';
import { type AnyAlgorithm, type Appearance, appearanceOf } from '../../src/kernel/index.ts';
import { type SimulateOptions, simulate, type TraceEvent } from '../../src/simulator/index.ts';

interface Seen {
  readonly event: TraceEvent;
  /** The event that changed the state, if this is a state. */
  readonly cause: TraceEvent['type'] | undefined;
  /** The appearance of the node of the event, before it. */
  readonly before: Appearance;
  readonly after: Appearance;
}

const NOTHING: Appearance = { passive: false, phase: null, fragment: null, tree: [] };

/** Every event of a run with what the algorithm declares about the nodes at that moment. */
function watch(algorithm: AnyAlgorithm, options: SimulateOptions): Seen[] {
  const now: Appearance[] = [];
  const seen: Seen[] = [];
  let cause: TraceEvent['type'] | undefined;
  const observe = (event: TraceEvent): void => {
    const before = now[event.node] ?? NOTHING;
    if (event.type === 'state') {
      const state = deepFreeze(event.state);
      now[event.node] = appearanceOf(algorithm, state);
      const again = appearanceOf(algorithm, state);
      if (JSON.stringify(again) !== JSON.stringify(now[event.node]))
        throw new Error('a declaration is not pure');
    }
    if (event.type === 'start' || event.type === 'deliver' || event.type === 'timer') cause = event.type;
    seen.push({ event, cause, before, after: now[event.node] ?? NOTHING });
  };
  // A random delay is up to 3 units, so a round trip takes up to 6.
  const set = 'timeout' in algorithm.params ? { timeout: 6 } : options.set;
  simulate(algorithm, { ...options, set, observe, states: true });
  return seen;
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part);
  return Object.freeze(value);
}

const runs: SimulateOptions[] = [1, 2].flatMap((seed) => [
  { nodes: 8, order: 'random', seed },
  { nodes: 8, order: 'random', seed, schedule: 'random', initiators: { random: 1 + seed } },
]);

/** Their ids travel without their owners, so that a relay may receive its own id and become the leader. */
const TEMPORARY = ['peterson', 'dolev-klawe-rodeh'];

const declaring = (key: keyof Appearance): AnyAlgorithm[] => registry.filter((one) => one[key] !== undefined);
const named = (algorithms: readonly AnyAlgorithm[]): [string, AnyAlgorithm][] =>
  algorithms.map((algorithm) => [algorithm.name, algorithm]);

describe('what an algorithm declares for pictures', () => {
  it('relays, phases and fragments are declared where the sources have them', () => {
    const list = (key: keyof Appearance) => declaring(key).map(({ name }) => name);
    expect(list('passive')).toEqual([
      'hirschberg-sinclair',
      'peterson-bidirectional',
      'franklin',
      'peterson',
      'dolev-klawe-rodeh',
      'itai-rodeh',
      'itai-rodeh-bounded',
      'itai-rodeh-unknown',
      'itai-rodeh-echo',
    ]);
    expect(list('fragment')).toEqual(['flood-max', 'echo-election', 'ghs']);
    expect(list('phase')).toContain('ghs');
  });

  it.each(named(declaring('passive')))(
    '%s: a passive node stays passive until it leads or its estimate grows',
    (_, algorithm) => {
      let turns = 0;
      for (const options of runs) {
        const won = new Set<number>();
        for (const { event, cause, before, after } of watch(algorithm, options)) {
          if (event.type === 'decide' && event.role === 'leader') won.delete(event.node);
          if (event.type !== 'state') continue;
          const now = after;
          if (!before.passive && now.passive) turns++;
          // A node that has not started yet is passive and may still start.
          if (before.passive && !now.passive && cause !== 'start') {
            expect([...TEMPORARY, 'itai-rodeh-unknown']).toContain(algorithm.name);
            if (TEMPORARY.includes(algorithm.name)) won.add(event.node);
            else expect(rank(now.phase)).toBeGreaterThan(rank(before.phase));
          }
        }
        expect(won.size).toBe(0);
      }
      // Hirschberg and Sinclair have passive nodes only with compare=phase.
      expect(turns > 0).toBe(algorithm.name !== 'hirschberg-sinclair');
    },
  );

  it('hirschberg-sinclair with compare=phase: a passive node stays passive', () => {
    const algorithm = registry.find(({ name }) => name === 'hirschberg-sinclair') as AnyAlgorithm;
    const seen = watch(algorithm, { nodes: 8, order: 'random', set: { compare: 'phase' } });
    const changes = seen.filter(
      ({ event, before, after }) => event.type === 'state' && before.passive !== after.passive,
    );
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.every(({ after }) => after.passive)).toBe(true);
  });

  it.each(named(declaring('passive')))('%s: the leader is not passive', (_, algorithm) => {
    for (const options of runs) {
      const seen = watch(algorithm, options);
      for (const { event, after } of seen) {
        if (event.type === 'decide' && event.role === 'leader') expect(after.passive).toBe(false);
      }
    }
  });

  it.each(named(declaring('passive').filter(({ assumes }) => assumes.network !== 'connected')))(
    '%s: a passive node sends nothing by itself, and at most one message for each that it receives',
    (_, algorithm) => {
      for (const options of runs) {
        const due = new Map<number, number>();
        let relayed = 0;
        const wasPassive = new Set<number>();
        for (const { event, before } of watch(algorithm, options)) {
          if (event.type === 'deliver' || event.type === 'start') {
            due.set(event.node, event.type === 'deliver' ? 1 : 0);
            if (before.passive && event.type === 'deliver') wasPassive.add(event.node);
            else wasPassive.delete(event.node);
          } else if (event.type === 'send' && wasPassive.has(event.node) && before.passive) {
            const left = (due.get(event.node) ?? 0) - 1;
            due.set(event.node, left);
            expect(left).toBeGreaterThanOrEqual(0);
            relayed++;
          }
        }
        if (algorithm.name !== 'hirschberg-sinclair') expect(relayed).toBeGreaterThan(0);
      }
    },
  );

  it.each(named(declaring('phase')))('%s: the phase of a node never decreases', (_, algorithm) => {
    let phases = 0;
    for (const options of runs) {
      for (const { event, before, after } of watch(algorithm, options)) {
        if (event.type !== 'state') continue;
        const { phase } = after;
        if (phase !== null) phases++;
        if (phase !== null && before.phase !== null)
          expect(rank(phase)).toBeGreaterThanOrEqual(rank(before.phase));
      }
    }
    expect(phases).toBeGreaterThan(0);
  });

  it.each(named(declaring('fragment')))('%s: at the end all nodes are in one fragment', (_, algorithm) => {
    for (const seed of [1, 2, 3]) {
      const topology = 'random:14';
      const seen = watch(algorithm, { topology, nodes: 9, order: 'random', seed, schedule: 'random' });
      const last = new Map(seen.map(({ event, after }) => [event.node, after.fragment]));
      const names = [...last.values()];
      expect(names.length).toBe(9);
      expect(new Set(names).size).toBe(1);
      expect(names[0]).not.toBeNull();
    }
  });

  it('ghs: fragments only grow: nodes with a common fragment keep one', () => {
    const ghs = registry.find(({ name }) => name === 'ghs') as AnyAlgorithm;
    const seen = watch(ghs, { topology: 'random:20', nodes: 10, schedule: 'random', order: 'random' });
    const last = new Map<string, number>();
    for (const { event, before, after } of seen) {
      if (event.type !== 'state' || before.fragment === after.fragment) continue;
      const level = rank(after.phase ?? '');
      const name = after.fragment ?? '';
      // The name is the weight of the core edge, so a fragment has one level.
      expect(last.get(name) ?? level).toBe(level);
      last.set(name, level);
    }
    expect(last.size).toBeGreaterThan(1);
  });
});

const WORDS = ['explosion', 'contraction', 'information'];

function rank(text: string | null): number {
  const phase = text ?? '';
  const number = Number(phase.split(' ')[1]);
  return Number.isNaN(number) ? WORDS.indexOf(phase) : number;
}

describe('declarations are validated', () => {
  const broken = (changes: object): AnyAlgorithm => ({ ...(registry[0] as AnyAlgorithm), ...changes });

  it('a declaration must be a function', () => {
    expect(() => simulate(broken({ passive: true }))).toThrow(
      'passive must be a function of the state, not true',
    );
  });

  it('a declaration must return a text, or true or false', () => {
    expect(() => appearanceOf(broken({ phase: () => 3 }), {})).toThrow(
      'phase must return a text or null, not 3',
    );
    expect(() => appearanceOf(broken({ passive: () => 1 }), {})).toThrow(
      'passive must return true or false, not 1',
    );
    expect(appearanceOf(broken({}), {})).toEqual(NOTHING);
  });
});
