/**
 * Three variants of the bully in lockstep, message by message: ids 1..n on a complete network; process n has crashed
 * before time 0, and others may have too. Written from the sources, without terms: no process crashes or recovers
 * after time 0.
 *
 * Shirali et al., 2.1 (`ids`): a detector calls all greater ids, they answer with their ids, and after the timeout T
 * = 2 it announces the greatest to all smaller ids and to all that answered. Kordafshari et al. 2005 (`grant`): it
 * sends `grant` to the greatest instead, which announces itself to all smaller ids. In both a detector that is called
 * by a smaller one abandons its own election. Arghavani et al. 2011 (`successor`): a detector calls the declared
 * successor n − 1, unless it is the successor itself; a successor announces itself to all smaller ids each time it is
 * called.
 *
 * Timers are handled after the messages of the same time.
 */

import { at, latest } from '../reference-outcome.ts';

const TIMEOUT = 2;

export interface VariantOutcome {
  readonly leader: number;
  readonly byType: Readonly<Record<string, number>>;
  readonly electedAt: number;
  readonly agreedAt: number;
}

interface Message {
  readonly from: number;
  readonly to: number;
  readonly type: string;
  readonly named?: number;
}

class Lockstep {
  readonly sent: Record<string, number> = {};
  readonly knewAt: number[];
  leader = -1;
  now = 0;
  private flight: Message[] = [];
  private readonly timers = new Map<number, number>();

  constructor(
    readonly n: number,
    private readonly isDead: (id: number) => boolean,
    types: readonly string[],
  ) {
    for (const type of types) this.sent[type] = 0;
    this.knewAt = new Array<number>(n).fill(-1);
  }

  send(message: Message): void {
    this.sent[message.type] = (this.sent[message.type] ?? 0) + 1;
    if (!this.isDead(message.to)) this.flight.push(message);
  }

  callGreater(id: number): void {
    for (let greater = id + 1; greater <= this.n; greater++)
      this.send({ from: id, to: greater, type: 'election' });
    this.timers.set(id, this.now + TIMEOUT);
  }

  giveUp(id: number): void {
    this.timers.delete(id);
  }

  /** Becomes the coordinator and announces itself to all smaller ids. */
  announceItself(id: number): void {
    this.know(id, id);
    for (let smaller = 1; smaller < id; smaller++) this.send({ from: id, to: smaller, type: 'coordinator' });
  }

  know(id: number, leader: number): void {
    this.leader = leader;
    this.knewAt[id - 1] = this.now;
  }

  run(onMessage: (message: Message) => void, onTimer: (id: number) => void): VariantOutcome {
    for (; this.flight.length > 0 || this.timers.size > 0; ) {
      this.now++;
      const arriving = this.flight.sort((a, b) => a.to - b.to || a.from - b.from);
      this.flight = [];
      for (const message of arriving) onMessage(message);
      for (const [id, due] of [...this.timers].sort(([a], [b]) => a - b)) {
        if (due !== this.now) continue;
        this.timers.delete(id);
        onTimer(id);
      }
    }
    const live = this.knewAt.filter((_, index) => !this.isDead(index + 1));
    return {
      leader: this.leader,
      byType: this.sent,
      electedAt: at(this.knewAt, this.leader - 1),
      agreedAt: latest(live),
    };
  }
}

export function bullyIdsLockstep(n: number, detectors: readonly number[]): VariantOutcome {
  const net = new Lockstep(n, (id) => id === n, ['election', 'answer', 'coordinator']);
  const answers = new Map<number, number[]>();
  for (const id of detectors) {
    answers.set(id, []);
    net.callGreater(id);
  }
  return net.run(
    ({ from, to, type, named }) => {
      if (type === 'election') {
        net.send({ from: to, to: from, type: 'answer' });
        net.giveUp(to);
      } else if (type === 'answer') answers.get(to)?.push(from);
      else net.know(to, named ?? -1);
    },
    (id) => {
      const answered = answers.get(id) ?? [];
      const named = Math.max(id, ...answered);
      net.know(id, named);
      const told = [...answered];
      for (let smaller = 1; smaller < id; smaller++) told.push(smaller);
      for (const to of told) net.send({ from: id, to, type: 'coordinator', named });
    },
  );
}

export function bullyGrantLockstep(n: number, detectors: readonly number[]): VariantOutcome {
  const net = new Lockstep(n, (id) => id === n, ['election', 'answer', 'grant', 'coordinator']);
  const best = new Map<number, number>();
  for (const id of detectors) net.callGreater(id);
  return net.run(
    ({ from, to, type }) => {
      if (type === 'election') {
        net.send({ from: to, to: from, type: 'answer' });
        net.giveUp(to);
      } else if (type === 'answer') best.set(to, Math.max(from, best.get(to) ?? 0));
      else if (type === 'grant') net.announceItself(to);
      else net.know(to, from);
    },
    (id) => {
      const chosen = best.get(id);
      if (chosen === undefined) net.announceItself(id);
      else net.send({ from: id, to: chosen, type: 'grant' });
    },
  );
}

/** With a live successor n − 1. */
export function bullySuccessorLockstep(n: number, detectors: readonly number[]): VariantOutcome {
  const net = new Lockstep(n, (id) => id === n, ['call', 'coordinator']);
  for (const id of detectors) {
    if (id === n - 1) net.announceItself(id);
    else net.send({ from: id, to: n - 1, type: 'call' });
  }
  return net.run(
    ({ from, to, type }) => {
      if (type !== 'call') net.know(to, from);
      else if (!detectors.includes(n - 1)) net.announceItself(to);
    },
    () => {},
  );
}
