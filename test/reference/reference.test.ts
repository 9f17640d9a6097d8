/**
 * The references against one another (closed form = simulation) and against the published formulas.
 *
 * Sources: Chang and Roberts, CACM 22(5), 1979; Hirschberg and Sinclair, CACM 23(11), 1980; Peterson, TOPLAS
 * 4(4), 1982; Dolev, Klawe and Rodeh, J. Algorithms 3, 1982; Garcia-Molina, IEEE Trans. Computers C-31(1),
 * 1982; Karnapke, lecture notes "Election Algorithms", TU Berlin 2015/16.
 */

import { describe, expect, test } from 'vitest';
import { bullyClosed, bullyLockstep, TIMEOUT } from './bully.ts';
import {
  changRobertsBest,
  changRobertsClosed,
  changRobertsElection,
  changRobertsLockstep,
  changRobertsWorst,
} from './chang-roberts.ts';
import { dolevKlaweRodehBound, dolevKlaweRodehClosed, dolevKlaweRodehLockstep } from './dolev-klawe-rodeh.ts';
import { echoElectionLockstep } from './echo-election.ts';
import { eccentricity, edgeCount } from './graph.ts';
import {
  ceilLog2,
  hirschbergSinclairBound,
  hirschbergSinclairClosed,
  hirschbergSinclairLockstep,
  hirschbergSinclairTime,
} from './hirschberg-sinclair.ts';
import {
  arrangements,
  ascending,
  descending,
  halving,
  harmonic,
  permutations,
  positionSets,
  ringOrders,
  seeded,
  shuffled,
  somePositions,
} from './orders.ts';
import { clockwise, type Outcome } from './outcome.ts';
import { petersonBound, petersonClosed, petersonLockstep } from './peterson.ts';

type RingRun = (ids: readonly number[], initiators?: readonly number[]) => Outcome;

/** All orders up to rotation and all initiator sets to n = 6, all orders at n = 7, and larger seeded ones. */
function* ringCases(): Generator<{ ids: number[]; initiators: number[] }> {
  for (let n = 1; n <= 6; n++) {
    for (const ids of ringOrders(n)) for (const initiators of positionSets(n)) yield { ids, initiators };
  }
  for (const ids of ringOrders(7)) yield { ids, initiators: [0, 1, 2, 3, 4, 5, 6] };
  for (let seed = 1; seed <= 192; seed++) {
    const n = 1 + (seed % 64);
    const k = 1 + (seed % 5 === 0 ? n - 1 : seeded(seed)(n));
    yield { ids: shuffled(n, seed), initiators: somePositions(n, k, seed + 1000) };
  }
  for (const n of [64, 1000]) {
    yield { ids: shuffled(n, n), initiators: somePositions(n, n, 1) };
    yield { ids: shuffled(n, n + 1), initiators: somePositions(n, n / 4, 2) };
  }
}

/** Compares two runs on every case with one deep comparison at the end of the list, not one a case. */
function expectSame(closed: RingRun, lockstep: RingRun): void {
  for (const { ids, initiators } of ringCases()) {
    const expected = closed(ids, initiators);
    const seen = lockstep(ids, initiators);
    const same =
      JSON.stringify(Object.entries(expected).sort()) === JSON.stringify(Object.entries(seen).sort());
    if (!same) expect({ ids, initiators, ...seen }).toEqual({ ids, initiators, ...expected });
  }
}

/** The least and the most election messages over all orders of n ids, everyone initiating. */
function extremes(run: RingRun, n: number): { least: number; most: number } {
  let least = Infinity;
  let most = 0;
  for (const ids of ringOrders(n)) {
    const { election } = run(ids);
    least = Math.min(least, election);
    most = Math.max(most, election);
  }
  return { least, most };
}

function floorLog2(n: number): number {
  let log = 0;
  while (2 ** (log + 1) <= n) log++;
  return log;
}

describe('orders', () => {
  test('all n! orders, all (n - 1)! orders up to rotation and all 2^n - 1 sets are there once', () => {
    const distinct = (lists: Iterable<number[]>) => new Set([...lists].map((list) => list.join()));
    expect(distinct(permutations(5)).size).toBe(120);
    expect(distinct(ringOrders(5)).size).toBe(24);
    expect(distinct(ringOrders(1))).toEqual(new Set(['1']));
    expect(distinct(positionSets(5)).size).toBe(31);
    expect([...arrangements([7, 9])]).toEqual([
      [7, 9],
      [9, 7],
    ]);
  });

  test('a seed gives one order, a permutation of 1..n', () => {
    expect(shuffled(100, 5)).toEqual(shuffled(100, 5));
    expect(shuffled(100, 5)).not.toEqual(shuffled(100, 6));
    expect(shuffled(100, 5).sort((a, b) => a - b)).toEqual(ascending(100));
    expect(new Set(somePositions(50, 20, 3)).size).toBe(20);
    expect(harmonic(4)).toBeCloseTo(25 / 12, 12);
  });
});

describe('Chang-Roberts (1979; Karnapke, slides 13 to 20)', () => {
  test('the next-greater-initiator form and the simulation agree on counts, times and leader', () => {
    expectSame(changRobertsClosed, changRobertsLockstep);
  });

  test('descending clockwise costs n(n+1)/2 and ascending 2n - 1, to a million nodes', () => {
    for (const n of [1, 2, 3, 4, 5, 64, 1000]) {
      expect(changRobertsLockstep(descending(n)).election).toBe((n * (n + 1)) / 2);
      expect(changRobertsLockstep(ascending(n)).election).toBe(2 * n - 1);
    }
    const n = 1_000_000;
    expect(changRobertsElection(Uint32Array.from(descending(n)))).toBe((n * (n + 1)) / 2);
    expect(changRobertsElection(Uint32Array.from(ascending(n)))).toBe(2 * n - 1);
  });

  test('k initiators cost at most nk - k(k-1)/2 and at least n + k - 1, both reached, for n to 6', () => {
    for (let n = 1; n <= 6; n++) {
      const most = new Array<number>(n + 1).fill(0);
      const least = new Array<number>(n + 1).fill(Infinity);
      for (const ids of ringOrders(n)) {
        for (const set of positionSets(n)) {
          const election = changRobertsElection(ids, set);
          most[set.length] = Math.max(most[set.length] ?? 0, election);
          least[set.length] = Math.min(least[set.length] ?? 0, election);
        }
      }
      for (let k = 1; k <= n; k++) {
        expect([n, k, most[k], least[k]]).toEqual([n, k, changRobertsWorst(n, k), changRobertsBest(n, k)]);
      }
    }
  });

  test('adjacent initiators reach the worst case descending clockwise and the best ascending', () => {
    for (const n of [1, 2, 7, 64]) {
      for (let k = 1; k <= n; k++) {
        const first = ascending(k).map((id) => id - 1);
        expect(changRobertsLockstep(descending(n), first).election).toBe(changRobertsWorst(n, k));
        expect(changRobertsLockstep(ascending(n), first).election).toBe(changRobertsBest(n, k));
      }
    }
  });

  test('the mean over all orders is exactly n * H_k for every fixed set of k positions, for n to 6', () => {
    for (let n = 1; n <= 6; n++) {
      let orders = 1;
      for (let i = 2; i <= n; i++) orders *= i;
      for (const set of positionSets(n)) {
        let sum = 0;
        for (const ids of permutations(n)) sum += changRobertsElection(ids, set);
        let expected = 0; // n! * n * H_k, in whole numbers
        for (let j = 1; j <= set.length; j++) expected += (n * orders) / j;
        expect(sum).toBe(expected);
      }
    }
  });

  test('the mean over seeded orders of 1,000 ids is within 2 % of n * H_n', () => {
    const n = 1000;
    let sum = 0;
    for (let seed = 1; seed <= 400; seed++) sum += changRobertsElection(shuffled(n, seed));
    expect(Math.abs(sum / 400 / (n * harmonic(n)) - 1)).toBeLessThan(0.02);
  });

  test('only an initiator can win, and with negated ids the smallest does', () => {
    expect(changRobertsLockstep([3, 9, 4, 1], [0, 2, 3]).leader).toBe(2);
    expect(changRobertsLockstep([-3, -9, -4, -1]).leader).toBe(3);
  });

  test('a ring of one counts the token and the announcement to itself', () => {
    expect(changRobertsLockstep([5])).toEqual({
      leader: 0,
      election: 1,
      announcement: 1,
      byType: { token: 1, elected: 1 },
      electedAt: 1,
      agreedAt: 1,
      announcementReturnedAt: 2,
    });
  });
});

describe('Hirschberg-Sinclair (1980; Karnapke, slides 22 to 25)', () => {
  test('the sum over candidates and phases and the simulation agree on counts, times and leader', () => {
    expectSame(hirschbergSinclairClosed, hirschbergSinclairLockstep);
  });

  test('the leader knows at n + 2 * 2^ceil(log2 n) - 2, so home 4n - 2 for 2^j, 6n - 6 for 2^j + 1', () => {
    for (let n = 1; n <= 70; n++) {
      for (const set of [undefined, [0], somePositions(n, Math.ceil(n / 3), n)]) {
        const run = hirschbergSinclairLockstep(shuffled(n, n), set);
        expect(run.electedAt).toBe(hirschbergSinclairTime(n));
        expect(run.announcementReturnedAt).toBe(hirschbergSinclairTime(n) + n);
      }
    }
    for (const n of [2, 4, 8, 16, 32, 64]) {
      expect(hirschbergSinclairLockstep(ascending(n)).announcementReturnedAt).toBe(4 * n - 2);
      expect(hirschbergSinclairLockstep(ascending(n + 1)).announcementReturnedAt).toBe(6 * (n + 1) - 6);
    }
  });

  test('election messages stay within 8n + 8n * ceil(log2 n), for all orders and initiators seen', () => {
    for (const { ids, initiators } of ringCases()) {
      const { election } = hirschbergSinclairClosed(ids, initiators);
      if (election > hirschbergSinclairBound(ids.length)) expect({ ids, initiators, election }).toBeNull();
    }
  });

  test('sorted ids cost 5n + 4 * 2^ceil(log2 n) - 8 for n >= 2; no order of up to 8 ids costs less', () => {
    for (let n = 2; n <= 70; n++) {
      const law = 5 * n + 4 * 2 ** ceilLog2(n) - 8;
      expect(hirschbergSinclairLockstep(ascending(n)).election).toBe(law);
      expect(hirschbergSinclairLockstep(descending(n)).election).toBe(law);
      if (n <= 8) expect(extremes(hirschbergSinclairClosed, n).least).toBe(law);
    }
  });

  test('with veto the sum and the simulation agree too: a probe that is stopped costs its way twice', () => {
    expectSame(
      (ids, initiators) => hirschbergSinclairClosed(ids, initiators, true),
      (ids, initiators) => hirschbergSinclairLockstep(ids, initiators, { vetoes: true }),
    );
  });

  test('a single initiator costs 4(2^ceil(log2 n) - 1) + 2n', () => {
    for (let n = 1; n <= 40; n++) {
      const law = 4 * (2 ** ceilLog2(n) - 1) + 2 * n;
      expect(hirschbergSinclairLockstep(shuffled(n, n), [n - 1]).election).toBe(law);
    }
  });

  test('rings of one, two and three count each probe by its own link', () => {
    const one = hirschbergSinclairLockstep([5]);
    expect([one.byType, one.electedAt, one.announcementReturnedAt]).toEqual([
      { probe: 2, reply: 0, veto: 0, elected: 1 },
      1,
      2,
    ]);
    const two = hirschbergSinclairLockstep([1, 2]);
    expect([two.byType, two.electedAt, two.announcementReturnedAt]).toEqual([
      { probe: 8, reply: 2, veto: 0, elected: 2 },
      4,
      6,
    ]);
    const three = hirschbergSinclairLockstep([1, 2, 3]);
    expect([three.byType, three.electedAt, three.announcementReturnedAt]).toEqual([
      { probe: 16, reply: 7, veto: 0, elected: 3 },
      9,
      12,
    ]);
  });
});

describe('Peterson, unidirectional (1982; Karnapke, slides 33 to 38)', () => {
  test('the sum over phases and the simulation agree on counts, times and leader', () => {
    expectSame(petersonClosed, petersonLockstep);
  });

  test('the largest initiator leads: it meets its id as v if alone, as p if of two, else as relay', () => {
    for (const { ids, initiators } of ringCases()) {
      const run = petersonLockstep(ids, initiators);
      const largest = initiators.reduce((a, b) => ((ids[a] ?? 0) > (ids[b] ?? 0) ? a : b));
      const metAs = initiators.length === 1 ? 'v' : initiators.length === 2 ? 'p' : 'relay';
      if (run.leader !== largest || run.metAs !== metAs) expect({ ids, initiators, ...run }).toBeNull();
    }
  });

  test('sorted either way, E = 3n - 1 for n >= 2; for n >= 3 the leader knows at n + 1, home 2n + 1', () => {
    for (const n of [2, 3, 4, 5, 6, 7, 8, 33, 64, 1000]) {
      for (const ids of [ascending(n), descending(n)]) {
        const run = petersonLockstep(ids);
        expect(run.election).toBe(3 * n - 1);
        expect(run.electedAt).toBe(n === 2 ? 2 : n + 1);
        expect(run.announcementReturnedAt).toBe(n === 2 ? 4 : 2 * n + 1);
      }
    }
  });

  test('a ring of one counts its id and its announcement: E = 1, home 2', () => {
    const run = petersonLockstep([5]);
    expect([run.byType, run.electedAt, run.announcementReturnedAt]).toEqual([{ id: 1, elected: 1 }, 1, 2]);
  });

  test('2n(floor(log2 n) + 1) is never passed; k initiators cost at most 2n * floor(log2 k) + n', () => {
    for (const { ids, initiators } of ringCases()) {
      const n = ids.length;
      const k = initiators.length;
      const { election } = petersonClosed(ids, initiators);
      const tighter = 2 * n * floorLog2(k) + (k === 1 ? n : n - 1);
      if (election > petersonBound(n) || election > tighter) expect({ ids, initiators, election }).toBeNull();
    }
  });

  test('no order costs less than 3n - 1; the most is 5, 8, 16, 21, 27, 32, 46 for n = 2 to 8', () => {
    for (const [n, most] of [
      [2, 5],
      [3, 8],
      [4, 16],
      [5, 21],
      [6, 27],
      [7, 32],
      [8, 46],
    ] as const) {
      expect(extremes(petersonClosed, n)).toEqual({ least: 3 * n - 1, most });
    }
  });

  test('the halving order of n = 2^j ids costs 2n * log2 n - n/2 + 2, short of the bound by 5n/2 - 2', () => {
    for (let j = 1; j <= 10; j++) {
      const n = 2 ** j;
      expect(petersonLockstep(halving(j)).election).toBe(2 * n * j - n / 2 + 2);
      expect(petersonBound(n) - petersonClosed(halving(j)).election).toBe((5 * n) / 2 - 2);
    }
  });

  test('as first printed (no maximum, no equality) two nodes lead at n = 2, and on 4 1 3 2 too', () => {
    expect(() => petersonLockstep([2, 1], undefined, true)).toThrow('two leaders');
    expect(() => petersonLockstep([4, 1, 3, 2], undefined, true)).toThrow('two leaders');
    const failures = [1, 2, 3, 4, 5, 6, 7].map((n) => {
      let failed = 0;
      for (const ids of ringOrders(n)) {
        try {
          petersonLockstep(ids, undefined, true);
        } catch {
          failed++;
        }
      }
      return failed;
    });
    expect(failures).toEqual([0, 1, 0, 2, 16, 88, 416]);
  });

  test('one initiator costs n and leads at n', () => {
    for (const n of [1, 2, 3, 64]) {
      const run = petersonLockstep(shuffled(n, n), [n - 1]);
      expect([run.leader, run.election, run.electedAt, run.announcementReturnedAt]).toEqual([
        n - 1,
        n,
        n,
        2 * n,
      ]);
    }
  });
});

describe('Dolev-Klawe-Rodeh (1982, as the Promela model has it)', () => {
  test('the sum over phases and the simulation agree on counts, times, leader and first knower', () => {
    expectSame(dolevKlaweRodehClosed, dolevKlaweRodehLockstep);
  });

  test('E = n(2r + 1), r the phases with two or more active nodes: n(r + 1) one, n * r two; A = n', () => {
    for (const { ids, initiators } of ringCases()) {
      const n = ids.length;
      const run = dolevKlaweRodehLockstep(ids, initiators);
      const r = run.contested;
      const seen = [run.election, run.byType.one, run.byType.two, run.announcement];
      const law = [n * (2 * r + 1), n * (r + 1), n * r, n];
      if (seen.join() !== law.join())
        expect({ ids, initiators, seen }).toEqual({ ids, initiators, seen: law });
      if (run.election > dolevKlaweRodehBound(n, initiators.length)) expect({ ids, initiators }).toBeNull();
    }
  });

  test('the bound 2n * floor(log2 n) + n is reached at every n to 8, and 3n is the least for n >= 2', () => {
    for (let n = 1; n <= 8; n++) {
      const least = n === 1 ? 1 : 3 * n;
      expect(extremes(dolevKlaweRodehClosed, n)).toEqual({ least, most: dolevKlaweRodehBound(n) });
    }
  });

  test('the halving order reaches the bound at every n = 2^j, home at 4n - 2', () => {
    for (let j = 0; j <= 10; j++) {
      const n = 2 ** j;
      const run = dolevKlaweRodehLockstep(halving(j));
      expect([run.election, run.announcementReturnedAt]).toEqual([dolevKlaweRodehBound(n), 4 * n - 2]);
    }
  });

  test('sorted ids: E = 3n, the node after the leader knows at n + 2, the leader last, at 2n + 1', () => {
    for (const n of [2, 3, 4, 5, 8, 33, 64, 1000]) {
      for (const ids of [ascending(n), descending(n)]) {
        const run = dolevKlaweRodehLockstep(ids);
        expect(run.election).toBe(3 * n);
        expect(clockwise(n, run.leader, run.knower)).toBe(1);
        expect([run.knows, run.electedAt, run.agreedAt, run.announcementReturnedAt]).toEqual([
          n + 2,
          2 * n + 1,
          2 * n + 1,
          2 * n + 2,
        ]);
      }
    }
  });

  test('the first knower is never the leader, unless it is the only initiator; then E = n', () => {
    for (const { ids, initiators } of ringCases()) {
      const run = dolevKlaweRodehLockstep(ids, initiators);
      if ((run.knower === run.leader) !== (initiators.length === 1)) expect({ ids, initiators }).toBeNull();
      if (initiators.length === 1 && run.election !== ids.length) expect({ ids, initiators }).toBeNull();
    }
  });

  test('it runs the phases of Peterson and elects the same node', () => {
    for (const { ids, initiators } of ringCases()) {
      const run = dolevKlaweRodehClosed(ids, initiators);
      const peterson = petersonClosed(ids, initiators);
      if (run.leader !== peterson.leader || run.contested !== peterson.contested) {
        expect({ ids, initiators }).toBeNull();
      }
    }
  });

  test('on the ids of the model checkers, ((N + 2 - p) mod N) + 1, E = 3N and A = N', () => {
    for (const n of [3, 8, 12]) {
      const ids = ascending(n).map((_, p) => ((n + 2 - p) % n) + 1);
      const run = dolevKlaweRodehLockstep(ids);
      expect([run.leader, run.election, run.announcement]).toEqual([ids.indexOf(n), 3 * n, n]);
    }
  });
});

describe('echo election with extinction (Karnapke, slide 7)', () => {
  type Graph = number[][];

  function graphOf(n: number, edges: readonly (readonly [number, number])[]): Graph {
    const neighbours: Graph = Array.from({ length: n }, () => []);
    for (const [a, b] of edges) {
      neighbours[a]?.push(b);
      neighbours[b]?.push(a);
    }
    return neighbours;
  }

  /** Every connected graph on n labelled nodes. */
  function* connectedGraphs(n: number): Generator<Graph> {
    const pairs: [number, number][] = [];
    for (let a = 0; a < n; a++) for (let b = a + 1; b < n; b++) pairs.push([a, b]);
    for (let mask = 0; mask < 2 ** pairs.length; mask++) {
      const graph = graphOf(
        n,
        pairs.filter((_, i) => Math.floor(mask / 2 ** i) % 2 === 1),
      );
      if (eccentricity(graph, 0) < Infinity) yield graph;
    }
  }

  /** A random tree on n nodes and some more edges. */
  function randomGraph(n: number, more: number, seed: number): Graph {
    const below = seeded(seed);
    const edges = new Map<string, [number, number]>();
    for (let i = 1; i < n; i++) {
      const parent = below(i);
      edges.set(`${parent} ${i}`, [parent, i]);
    }
    for (let i = 0; i < more; i++) {
      const a = below(n);
      const b = below(n);
      if (a !== b) edges.set(`${Math.min(a, b)} ${Math.max(a, b)}`, [a, b]);
    }
    return graphOf(n, [...edges.values()]);
  }

  function* cases(): Generator<{ graph: Graph; ids: number[]; initiators: number[] }> {
    for (let n = 1; n <= 4; n++) {
      for (const graph of connectedGraphs(n)) {
        for (const ids of permutations(n)) {
          for (const initiators of positionSets(n)) yield { graph, ids, initiators };
        }
      }
    }
    for (let seed = 1; seed <= 300; seed++) {
      const n = 2 + (seed % 40);
      const graph = randomGraph(n, seed % 60, seed);
      const k = 1 + seeded(seed + 1)(n);
      yield { graph, ids: shuffled(n, seed), initiators: somePositions(n, k, seed) };
    }
    for (const k of [1, 16, 1000]) {
      const graph = randomGraph(1000, 3000, 9);
      yield { graph, ids: shuffled(1000, 3), initiators: somePositions(1000, k, k) };
    }
  }

  test('the largest initiator leads; E = 2m for k = 1, at most k * 2m for k; A = n - 1 by tree', () => {
    for (const { graph, ids, initiators } of cases()) {
      const m = edgeCount(graph);
      const run = echoElectionLockstep(graph, ids, initiators, 'tree');
      const largest = initiators.reduce((a, b) => ((ids[a] ?? 0) > (ids[b] ?? 0) ? a : b));
      const ok =
        run.leader === largest &&
        run.announcement === graph.length - 1 &&
        run.election >= 2 * m &&
        run.election <= initiators.length * 2 * m;
      if (!ok) expect({ graph, ids, initiators, ...run }).toBeNull();
    }
  });

  test('a second echo wave announces with 2m messages and changes nothing else', () => {
    for (const { graph, ids, initiators } of cases()) {
      const tree = echoElectionLockstep(graph, ids, initiators, 'tree');
      const echo = echoElectionLockstep(graph, ids, initiators, 'echo');
      const ok =
        echo.announcement === 2 * edgeCount(graph) &&
        echo.election === tree.election &&
        echo.electedAt === tree.electedAt &&
        echo.agreedAt === tree.agreedAt &&
        echo.ended === 2 * echo.electedAt;
      if (!ok) expect({ graph, ids, initiators, tree, echo }).toBeNull();
    }
  });

  test('a leader of eccentricity e knows at 2e or 2e + 1, and the last node e later', () => {
    for (const { graph, ids, initiators } of cases()) {
      const run = echoElectionLockstep(graph, ids, initiators, 'tree');
      const e = eccentricity(graph, run.leader);
      const ok =
        (run.electedAt === 2 * e || (run.electedAt === 2 * e + 1 && e > 0)) &&
        run.agreedAt === run.electedAt + e;
      if (!ok) expect({ graph, ids, initiators, e, ...run }).toBeNull();
    }
  });

  test('one initiator sends n - 1 echoes and 2m - n + 1 explorers', () => {
    for (const { graph, ids, initiators } of cases()) {
      if (initiators.length > 1) continue;
      const { byType } = echoElectionLockstep(graph, ids, initiators, 'tree');
      const n = graph.length;
      expect([byType.echo, byType.explorer]).toEqual([n - 1, 2 * edgeCount(graph) - n + 1]);
    }
  });

  test('one node sends nothing and leads at 0', () => {
    for (const announce of ['tree', 'echo'] as const) {
      const run = echoElectionLockstep([[]], [1], undefined, announce);
      expect([run.leader, run.election, run.announcement, run.electedAt, run.agreedAt]).toEqual([
        0, 0, 0, 0, 0,
      ]);
    }
  });

  test('two waves that meet at one instant are followed in port order: the explorers of both count', () => {
    // path 0 - 1 - 2 - 3 with ids 2 1 3 4 and a bystander between the initiators 0 and 2
    const path = graphOf(4, [
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    const run = echoElectionLockstep(path, [2, 1, 3, 4], [0, 2], 'tree');
    // 0: one explorer; 2: two; 1 passes wave 2 on to 2 and then wave 3 on to 0; echoes of 0, 3 and 1
    expect(run.byType).toEqual({ explorer: 5, echo: 3, elected: 3 });
    expect([run.leader, run.electedAt, run.agreedAt]).toEqual([2, 4, 6]);
  });
});

describe('bully (Garcia-Molina 1982), process n dead, T = 2', () => {
  test('the closed form and the simulation agree for every set of detectors, n to 10', () => {
    for (let n = 2; n <= 10; n++) {
      for (const set of positionSets(n - 1)) {
        const detectors = set.map((position) => position + 1);
        expect(bullyLockstep(n, detectors)).toEqual(bullyClosed(n, detectors));
      }
    }
  });

  test('one detector i: election (n-i)(n-i+1)/2, answer (n-i)(n-i-1)/2, coordinator n - 2', () => {
    for (const n of [2, 3, 4, 5, 16, 64]) {
      for (let i = 1; i < n; i++) {
        const run = bullyLockstep(n, [i]);
        expect(run.leader).toBe(n - 2);
        expect(run.byType).toEqual({
          election: ((n - i) * (n - i + 1)) / 2,
          answer: ((n - i) * (n - i - 1)) / 2,
          coordinator: n - 2,
        });
      }
    }
  });

  test('the leader knows at T + 1 and the last node at T + 2 = 4; for i = n - 1 at T and T + 1 = 3', () => {
    for (const n of [3, 4, 5, 16, 64]) {
      for (let i = 1; i < n; i++) {
        const { electedAt, agreedAt } = bullyLockstep(n, [i]);
        expect([electedAt, agreedAt]).toEqual(i === n - 1 ? [TIMEOUT, 3] : [TIMEOUT + 1, 4]);
      }
    }
  });

  test('with n = 2 nobody is left to tell: the only live process leads at T', () => {
    const run = bullyLockstep(2, [1]);
    expect(run.byType).toEqual({ election: 1, answer: 0, coordinator: 0 });
    expect([run.electedAt, run.agreedAt]).toEqual([TIMEOUT, TIMEOUT]);
  });

  test('several detectors cost what the smallest of them costs alone', () => {
    for (let n = 3; n <= 10; n++) {
      for (const set of positionSets(n - 1)) {
        const detectors = set.map((position) => position + 1);
        expect(bullyLockstep(n, detectors).byType).toEqual(bullyLockstep(n, [Math.min(...detectors)]).byType);
      }
    }
  });
});
