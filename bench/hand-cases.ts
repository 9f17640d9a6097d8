/** The runs that are compared with a loop written by hand for their algorithm, and the largest accepted ratio of times. */
import {
  bully,
  changRoberts,
  echoElection,
  petersonBidirectional,
  raft,
  ringMax,
  timeSlice,
  treeElection,
} from '@hustings/study/algorithms';
import type { AnyAlgorithm, Topology } from '@hustings/study/kernel';
import type { Plan, SimulateOptions } from '@hustings/study/simulator';
import * as byBully from './by-hand/bully.ts';
import * as byEcho from './by-hand/echo-election.ts';
import { heapDelays } from './by-hand/heap-delays.ts';
import * as byPeterson from './by-hand/peterson-bidirectional.ts';
import * as byRaft from './by-hand/raft.ts';
import type { HandResult, Links } from './by-hand/result.ts';
import * as byRingMax from './by-hand/ring-max.ts';
import { fusedRounds } from './by-hand/rounds.ts';
import * as byTimeSlice from './by-hand/time-slice.ts';
import * as byTree from './by-hand/tree-election.ts';

export interface HandCase {
  readonly name: string;
  readonly algorithm: AnyAlgorithm;
  readonly options: SimulateOptions;
  readonly quick: SimulateOptions;
  /** The largest accepted ratio of the engine's time to that of the loop. */
  readonly most: number;
  /** Prepares the loop: building its network is not measured. */
  readonly prepare: (plan: Plan) => () => HandResult;
}

const timeoutOf = ({ params }: Plan): number => Number(params.timeout);

export const handCases: readonly HandCase[] = [
  {
    name: 'chang-roberts',
    algorithm: changRoberts,
    options: { nodes: 1_000_000 },
    quick: { nodes: 50_000 },
    most: 2,
    prepare:
      ({ ids }) =>
      () =>
        fusedRounds(ids),
  },
  {
    name: 'chang-roberts, random delays',
    algorithm: changRoberts,
    options: { nodes: 1_000_000, schedule: 'random' },
    quick: { nodes: 50_000, schedule: 'random' },
    most: 1,
    prepare:
      ({ ids, seed }) =>
      () =>
        heapDelays(ids, seed),
  },
  {
    name: 'bully',
    algorithm: bully,
    options: { nodes: 1_000 },
    quick: { nodes: 200 },
    most: 3,
    prepare: (plan) => () => byBully.bully(plan.ids, timeoutOf(plan)),
  },
  {
    name: 'raft',
    algorithm: raft,
    options: { nodes: 1_000 },
    quick: { nodes: 200 },
    most: 3,
    prepare: (plan) => () =>
      byRaft.raft(plan.nodes, {
        timeout: timeoutOf(plan),
        spread: Number(plan.params.spread),
        heartbeats: Number(plan.params.heartbeats),
        until: plan.until ?? 0,
        seed: plan.seed,
      }),
  },
  {
    name: 'ring-max',
    algorithm: ringMax,
    options: { nodes: 100_000 },
    quick: { nodes: 10_000 },
    most: 3,
    prepare: (plan) => () => byRingMax.ringMax(plan.ids, timeoutOf(plan)),
  },
  {
    name: 'echo-election',
    algorithm: echoElection,
    options: { nodes: 32_768, topology: 'hypercube' },
    quick: { nodes: 4_096, topology: 'hypercube' },
    most: 3,
    prepare: ({ ids, topology }) => {
      const links = linksOf(topology);
      const backs = backsOf(topology);
      return () => byEcho.echoElection(ids, links, backs);
    },
  },
  {
    name: 'peterson-bidirectional',
    algorithm: petersonBidirectional,
    options: { nodes: 300_000 },
    quick: { nodes: 30_000 },
    most: 3,
    prepare:
      ({ ids }) =>
      () =>
        byPeterson.petersonBidirectional(ids),
  },
  {
    name: 'time-slice',
    algorithm: timeSlice,
    options: { nodes: 1_000_000 },
    quick: { nodes: 50_000 },
    most: 3,
    prepare:
      ({ ids }) =>
      () =>
        byTimeSlice.timeSlice(ids),
  },
  {
    name: 'tree-election',
    algorithm: treeElection,
    options: { nodes: 300_000 },
    quick: { nodes: 30_000 },
    most: 3,
    prepare: ({ ids, topology }) => {
      const links = linksOf(topology);
      return () => byTree.treeElection(ids, links);
    },
  },
];

function linksOf(topology: Topology): Links {
  const offsets = new Int32Array(topology.n + 1);
  for (let at = 0; at < topology.n; at++) offsets[at + 1] = offsets[at] + topology.degree(at);
  const neighbours = new Int32Array(topology.links);
  eachLink(topology, (link, at, port) => {
    neighbours[link] = topology.neighbour(at, port);
  });
  return { offsets, neighbours };
}

function backsOf(topology: Topology): Int32Array {
  const backs = new Int32Array(topology.links);
  eachLink(topology, (link, at, port) => {
    backs[link] = topology.backPort(at, port);
  });
  return backs;
}

function eachLink(topology: Topology, visit: (link: number, at: number, port: number) => void): void {
  let link = 0;
  for (let at = 0; at < topology.n; at++) {
    for (let port = 0; port < topology.degree(at); port++) visit(link++, at, port);
  }
}
