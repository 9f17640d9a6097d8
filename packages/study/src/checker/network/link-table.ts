/** Numbers the links of a network that can carry messages, grouped by receiver. */
import type { Topology } from '../../kernel/network/topology.ts';

export class LinkTable {
  readonly count: number;
  /** By link: the position and the port of the receiver. */
  readonly receivers: Int32Array;
  readonly ports: Int32Array;
  /** The links of receiver `at` are firstOf[at] up to, but not including, firstOf[at + 1]. */
  readonly firstOf: Int32Array;
  private readonly numbers = new Map<number, number>();

  constructor(private readonly topology: Topology) {
    // On a one-way ring only port 0 receives.
    const receiving = topology.oneWay ? 1 : Number.POSITIVE_INFINITY;
    const ends: [at: number, port: number][] = [];
    this.firstOf = new Int32Array(topology.n + 1);
    for (let at = 0; at < topology.n; at++) {
      for (let port = 0; port < Math.min(receiving, topology.degree(at)); port++) {
        this.numbers.set(topology.link(at, port), ends.length);
        ends.push([at, port]);
      }
      this.firstOf[at + 1] = ends.length;
    }
    this.count = ends.length;
    this.receivers = Int32Array.from(ends, ([at]) => at);
    this.ports = Int32Array.from(ends, ([, port]) => port);
  }

  numberOf(to: number, port: number): number {
    return this.numbers.get(this.topology.link(to, port)) as number;
  }

  sender(link: number): number {
    return this.topology.neighbour(this.receivers[link], this.ports[link]);
  }

  senderPort(link: number): number {
    return this.topology.backPort(this.receivers[link], this.ports[link]);
  }
}
