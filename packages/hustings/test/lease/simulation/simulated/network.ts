/**
 * The network between candidates and the store. Without faults a message takes at most a third of the shortest request timeout
 * and never overtakes another in the same direction. With faults it may be lost, duplicated, reordered, or delayed by up to
 * five TTLs.
 */
import type { Random } from '../../../../../study/src/kernel/random.ts';
import type { Fault } from '../plan.ts';
import type { Tally } from '../tally.ts';

export type Direction = 'up' | 'down';

/** The link of one machine: which directions are cut, and when the latest message arrives. */
export interface Link {
  readonly cut: Record<Direction, boolean>;
  readonly latestMs: Record<Direction, number>;
}

export function newLink(): Link {
  return { cut: { up: false, down: false }, latestMs: { up: 0, down: 0 } };
}

export interface Environment {
  readonly nowMs: number;
  readonly tally: Tally;
  readonly ttlMs: number;
  readonly usualDelayMs: number;
  isOn(fault: Fault): boolean;
  random(stream: string): Random;
  plan(atMs: number, run: () => void): void;
}

export class Network {
  constructor(private readonly world: Environment) {}

  send(link: Link, direction: Direction, deliver: () => void): void {
    const { world } = this;
    if (link.cut[direction]) {
      world.tally.count('cut off');
      return;
    }
    const loss: Fault = direction === 'up' ? 'lost-request' : 'lost-reply';
    if (this.#happens(loss, 0.15)) return;
    this.#carry(link, direction, deliver);
    if (direction === 'up' && this.#happens('duplicate', 0.15)) this.#carry(link, direction, deliver);
  }

  #carry(link: Link, direction: Direction, deliver: () => void): void {
    const { world } = this;
    let atMs = world.nowMs + world.random('usual delay').below(world.usualDelayMs + 1);
    if (this.#happens('delay', 0.1)) atMs += world.random('delay').below(5 * world.ttlMs);
    const latestMs = link.latestMs[direction];
    if (!world.isOn('reorder')) atMs = Math.max(atMs, latestMs);
    else if (atMs < latestMs) world.tally.count('reorder');
    link.latestMs[direction] = Math.max(latestMs, atMs);
    world.plan(atMs, () => {
      if (link.cut[direction]) world.tally.count('cut off');
      else deliver();
    });
  }

  #happens(fault: Fault, p: number): boolean {
    const { world } = this;
    if (!world.isOn(fault) || !world.random(fault).chance(p)) return false;
    world.tally.count(fault);
    return true;
  }
}
