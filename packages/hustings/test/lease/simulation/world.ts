/**
 * The world of one seed: machines, a network, a store, a sink and true time. Faults happen for a while. Then, after a time to
 * settle, one candidate must lead, all others must know it, and nothing may change for twenty TTLs. All random draws come from
 * the seed, each use from its own stream, so a world with one fault fewer is otherwise the same.
 */
import { Random } from '../../../../study/src/kernel/random.ts';
import type { LeaseRecord } from '../../../src/lease/core/lease-record.ts';
import { scaledTiming } from '../../../src/lease/core/timing.ts';
import { registrationMs } from '../../../src/lease/core/waiting.ts';
import { EventQueue } from './event-queue.ts';
import { startFaults } from './faults.ts';
import { type Make, RIGHT } from './mutant.ts';
import { hold } from './observers/invariant.ts';
import { LeaseObserver } from './observers/lease-observer.ts';
import { type Fault, isPunctual, type Plan } from './plan.ts';
import { FencedSink } from './simulated/fenced-sink.ts';
import { type Environment, Network } from './simulated/network.ts';
import { SimulatedMachine } from './simulated/simulated-machine.ts';
import { SimulatedProcess } from './simulated/simulated-process.ts';
import { type Reply, type Request, SimulatedStore } from './simulated/simulated-store.ts';
import { drawRates, VirtualClock } from './simulated/virtual-clock.ts';
import { Tally } from './tally.ts';

const MAX_AT_ONCE = 20_000;

/** The name of a stream is part of its seed. These keep the names under which the worlds of regressions.ts were recorded. */
const STREAM_SEEDS: Readonly<Record<string, string>> = {
  'no-progress': 'no-beats',
  'notification-fault': 'hint-trouble',
  notification: 'hint',
  prng: 'lots',
  release: 'resign',
  'work-ignores-stop': 'stubborn-work',
};

export class World implements Environment {
  nowMs = 0;
  readonly tally = new Tally();
  readonly ttlMs: number;
  readonly longestTtlMs: number;
  readonly usualDelayMs: number;
  readonly killable: boolean;
  readonly machines: readonly SimulatedMachine[];
  readonly leases: LeaseObserver;
  readonly store: SimulatedStore;
  readonly sink: FencedSink;
  /** The tokens of all terms so far. */
  readonly terms = new Set<bigint>();
  /** How many terms began or ended. */
  changes = 0;
  /** When the latest term began. */
  electedMs = 0;
  /** The events as text, for the replay of a failure. */
  readonly story: string[] | null;
  readonly #queue = new EventQueue();
  readonly #network: Network;
  readonly #streams = new Map<string, Random>();
  readonly #processes = new Map<string, SimulatedProcess>();
  readonly #isPunctual: boolean;
  #isFaulty = true;
  /** Events at the present time. */
  #atOnce = 0;

  constructor(
    readonly setting: Plan,
    readonly mutant: Make = RIGHT,
    tellsStory = false,
  ) {
    this.story = tellsStory ? [] : null;
    const { candidates, ttlMs, storeHasClock, killable } = setting;
    this.ttlMs = ttlMs;
    this.killable = killable;
    this.#isPunctual = isPunctual(setting);
    this.machines = Array.from({ length: candidates }, (_, index) => this.#newMachine(index));
    const timings = this.machines.map(({ options }) => options.timing);
    this.longestTtlMs = Math.max(...timings.map((timing) => timing.ttlMs));
    const shortestMs = Math.min(...timings.map(({ requestTimeoutMs }) => requestTimeoutMs));
    this.usualDelayMs = Math.floor(shortestMs * setting.usualDelay);
    this.#network = new Network(this);
    this.sink = new FencedSink(mutant.isFenced, this.tally);
    this.leases = new LeaseObserver(storeHasClock, (nonce) => this.#isGone(nonce));
    this.store = new SimulatedStore(
      this,
      storeHasClock,
      this.leases,
      mutant.rules,
      mutant.writesAuditLate,
      mutant.afterLoss,
      () => this.#hintAll(),
    );
  }

  /** Throws `InvariantBroken`. */
  run(): void {
    const { setting, longestTtlMs } = this;
    this.open();
    startFaults(this);
    this.runUntil(setting.faultyMs);
    this.#endFaults();
    // Messages may be in flight for 5 TTLs, their effect lasts one more, and a candidate with many errors waits a second.
    const inFlightMs = 5 * this.ttlMs;
    this.runUntil(this.nowMs + inFlightMs + 6 * longestTtlMs + 1_500 + this.#longestPlaceMs());
    this.checkAgreement();
    const { changes } = this;
    this.runUntil(this.nowMs + 20 * longestTtlMs);
    hold(changes === this.changes, 'quiescence', () => `${this.changes - changes} changes without a fault`);
    this.checkAgreement();
    this.store.checkAudit();
  }

  /** In fair order, how long the place of a dead candidate delays the others: its registration, and their next request. */
  #longestPlaceMs(): number {
    if (!this.setting.faults.has('fair-order')) return 0;
    return Math.max(...this.machines.map(({ options }) => registrationMs(options.timing))) + 1_500;
  }

  /** The candidates start, within two ttls. */
  open(): void {
    for (const fault of this.setting.faults) this.tally.count(`worlds with ${fault}`);
    for (const machine of this.machines) {
      this.plan(this.random('start').below(2 * this.ttlMs), () => this.start(machine));
    }
  }

  tell(line: () => string): void {
    this.story?.push(`${this.nowMs} ${line()}`);
  }

  runUntil(endMs: number): void {
    while (this.#queue.nextMs <= endMs) {
      const { atMs, run } = this.#queue.take();
      this.#atOnce = atMs === this.nowMs ? this.#atOnce + 1 : 0;
      hold(this.#atOnce < MAX_AT_ONCE, 'progress', () => this.#describe());
      this.nowMs = atMs;
      run();
      this.#check();
    }
    this.nowMs = endMs;
  }

  isOn(fault: Fault): boolean {
    return this.#isFaulty && this.setting.faults.has(fault);
  }

  random(stream: string): Random {
    let random = this.#streams.get(stream);
    if (random === undefined) {
      random = new Random(this.setting.seed, STREAM_SEEDS[stream] ?? stream);
      this.#streams.set(stream, random);
    }
    return random;
  }

  plan(atMs: number, run: () => void): void {
    this.#queue.plan(atMs, run);
  }

  start(machine: SimulatedMachine): void {
    if (machine.live !== null) return;
    const identity = `${machine.options.id}-${++machine.starts}`;
    const process = new SimulatedProcess(this, machine, identity);
    machine.process = process;
    this.#processes.set(identity, process);
    process.step({ type: 'campaign' });
  }

  /** The process that claims leadership. */
  get leader(): SimulatedProcess | undefined {
    return this.machines.find(({ live }) => live?.leads())?.live ?? undefined;
  }

  request(process: SimulatedProcess, request: Request, deliver: (reply: Reply) => void): void {
    const { link } = process.machine;
    this.tally.count(request.type);
    this.#network.send(link, 'up', () => {
      this.store.receive(request, (reply) => {
        const { restarts } = this.store;
        this.tell(() => `the store answers ${show(reply)} to ${show(request)}`);
        this.#network.send(link, 'down', () => {
          const isCut = this.store.restarts !== restarts;
          deliver(isCut ? { type: 'store-error', kind: 'unreachable' } : reply);
        });
      });
    });
  }

  elected(process: SimulatedProcess): void {
    this.tally.count('elections');
    this.changes++;
    this.electedMs = this.nowMs;
    if (!this.#isPunctual) return;
    this.tally.count('elections in punctual worlds');
    const working = this.machines.find(({ live }) => live !== process && live?.isWorking);
    hold(
      working === undefined,
      'one worker',
      () => `${process.identity} begins while ${working?.process?.identity} works`,
    );
  }

  /** A candidate on the same host can check whether the holder's process exists. */
  proveGone(process: SimulatedProcess, { holder }: LeaseRecord): void {
    if (holder === null || !this.isOn('gone') || !this.#isGone(holder.nonce)) return;
    this.tally.count('gone');
    const atMs = this.nowMs + this.random('gone').below(this.ttlMs);
    this.plan(atMs, () => process.perform(() => process.step({ type: 'gone', nonce: holder.nonce })));
  }

  checkAgreement(): void {
    const { leader } = this;
    hold(leader !== undefined, 'agreement', () => `nobody leads: ${this.#describe()}`);
    for (const { live } of this.machines) {
      if (live === null || live === leader) continue;
      const seen = live.lastHeld?.holder?.nonce;
      hold(
        seen === leader!.core.nonce,
        'agreement',
        () => `${live.identity} saw ${seen}, ${leader!.core.nonce} leads`,
      );
      hold(
        live.machine.options.priority <= leader!.machine.options.priority,
        'priority',
        () => `${live.identity} waits behind ${leader!.identity}`,
      );
    }
  }

  #check(): void {
    this.tally.count('events');
    let leaders = 0;
    for (const { live } of this.machines) if (live?.leads()) leaders++;
    if (leaders > 1) this.tally.count('two leaders by clocks beyond the margin');
    hold(leaders <= 1 || !this.setting.exclusive, 'one leader', () => `${leaders} lead: ${this.#describe()}`);
  }

  #endFaults(): void {
    this.#isFaulty = false;
    this.tell(() => 'no more faults');
    this.store.start();
    this.store.slowUntilMs = 0;
    const random = this.random('end');
    for (const machine of this.machines) {
      machine.link.cut.up = false;
      machine.link.cut.down = false;
      machine.clock.wake(this.nowMs);
      machine.clock.setRates(drawRates(random, { least: 0.99, most: 1.01 }), this.nowMs);
      machine.live?.goOn(true);
    }
    const isEmpty = this.machines.every(({ live }) => live === null);
    for (const machine of this.machines) {
      if (machine.live === null && (isEmpty || random.chance(0.5))) this.start(machine);
      machine.live?.killWork();
      machine.live?.step({ type: 'campaign' });
    }
  }

  /** Whether notifications arrive. In a deaf world they never do, and no test notification came through. */
  get isPushing(): boolean {
    return this.setting.storePushes && !this.setting.faults.has('deaf');
  }

  #hintAll(): void {
    if (!this.isPushing || this.setting.isLossy) return;
    const random = this.random('notification-fault');
    for (const { live } of this.machines) {
      if (live === null) continue;
      const fault = this.isOn('notification-fault') ? random.below(4) : 3;
      if (fault < 3) this.tally.count('notification-fault');
      if (fault === 0) continue;
      const notification = (): void => live.perform(() => live.step({ type: 'notification' }));
      const afterMs = fault === 1 ? random.below(3 * this.ttlMs) : 0;
      this.plan(
        this.nowMs + afterMs + this.random('notification').below(this.usualDelayMs + 1),
        notification,
      );
      if (fault === 2) this.plan(this.nowMs + random.below(this.ttlMs), notification);
    }
  }

  #isGone(nonce: string): boolean {
    const identity = nonce.slice(0, nonce.lastIndexOf('.'));
    return this.#processes.get(identity)?.isAlive === false;
  }

  #newMachine(index: number): SimulatedMachine {
    const { setting } = this;
    const { faults, ttlMs } = setting;
    const random = this.random('machines');
    const factor = [0.4, 1, 1, 2.5][random.below(4)];
    const ownTtlMs = faults.has('mixed-ttl') ? Math.max(10, Math.round(ttlMs * factor)) : ttlMs;
    const priority = random.below(3);
    const stallAfterMs = faults.has('no-progress') ? ttlMs : undefined;
    const rates = drawRates(random, faults.has('clock-rate') ? setting.rates : { least: 1, most: 1 });
    return new SimulatedMachine(
      {
        name: 'election',
        id: `c${index}`,
        priority: faults.has('priorities') ? priority : 0,
        processProof: '',
        timing: scaledTiming(ownTtlMs, { stallAfterMs }),
        fair: faults.has('fair-order'),
        holdAtLeastMs: faults.has('holds') ? this.random('holds').below(2 * ttlMs) : 0,
      },
      new VirtualClock(random.below(1_000_000), 1_700_000_000_000 + random.below(7_200_000), rates),
    );
  }

  #describe(): string {
    return this.machines
      .map(({ live, options }) => `${live?.core.nonce ?? options.id} ${live?.core.phase ?? 'dead'}`)
      .join(', ');
  }
}

function show(value: object): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each));
}
