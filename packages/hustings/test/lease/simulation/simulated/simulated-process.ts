/**
 * One process of a candidate: the real core, driven like in an elector. While it is paused, its timers and messages wait. A
 * restart is a new process with a new identity.
 */

import type { ClockReading } from '../../../../src/lease/core/clock-reading.ts';
import type { LeaseCore } from '../../../../src/lease/core/lease-core.ts';
import type { Input, Output } from '../../../../src/lease/core/lease-event.ts';
import type { LeaseRecord } from '../../../../src/lease/core/lease-record.ts';
import { LeaderObserver, type SentCall } from '../observers/leader-observer.ts';
import type { World } from '../world.ts';
import type { SimulatedMachine } from './simulated-machine.ts';
import type { Reply, Request } from './simulated-store.ts';
import { SimulatedWork } from './simulated-work.ts';

export class SimulatedProcess {
  isAlive = true;
  isPaused = false;
  /** The record of the latest refusal, until the next election. */
  lastHeld: LeaseRecord | null = null;
  readonly core: LeaseCore;
  readonly #observer: LeaderObserver;
  readonly #calls = new Map<number, SentCall>();
  #work: SimulatedWork | null = null;
  #inbox: (() => void)[] = [];
  /** The true time of the next planned tick. A later one need not be planned. */
  #tickMs = Number.POSITIVE_INFINITY;
  #isTickDue = false;

  constructor(
    private readonly world: World,
    readonly machine: SimulatedMachine,
    readonly identity: string,
  ) {
    const { options } = machine;
    this.core = world.mutant.core({ ...options, identity, seed: world.random('prng').next32() });
    this.#observer = new LeaderObserver(options.timing, world.leases.grants, world.terms);
  }

  get isWorking(): boolean {
    return this.#work?.isRunning === true;
  }

  /** Runs the action now, or after the pause. */
  perform(action: () => void): void {
    if (!this.isAlive) return;
    if (this.isPaused) this.#inbox.push(action);
    else action();
  }

  step(input: Input): void {
    const now = this.#now();
    this.#lookForSleepers(now);
    this.#observer.wished(input);
    const outputs = this.core.step(input, now);
    for (const output of outputs) this.#do(output);
    this.#observer.stepped(this.core, now);
    this.#observer.waits(this.core, outputs, now, this.world.isPushing);
    this.armTimer();
  }

  /** Called at every event, also while the process is paused: `isValid` must be correct at all times. */
  leads(): boolean {
    if (!this.isAlive) return false;
    const now = this.#now();
    this.#lookForSleepers(now);
    return this.#observer.leads(this.core, now);
  }

  pause(): void {
    this.isPaused = true;
    this.#observer.fellAsleep();
  }

  /** Node runs late timers first, but messages that arrived may also come before them. */
  goOn(timersFirst: boolean): void {
    this.isPaused = false;
    this.#lookForSleepers(this.#now());
    if (timersFirst) this.#tickIfDue();
    const inbox = this.#inbox;
    this.#inbox = [];
    for (const action of inbox) this.perform(action);
    this.#tickIfDue();
    this.armTimer();
  }

  crash(): void {
    this.isAlive = false;
    this.#work?.vanish();
    this.#inbox = [];
  }

  killWork(): void {
    if (this.core.phase === 'stopping') this.#work?.kill();
  }

  /** Also after a change of the clock, which moves the true time of the tick. */
  armTimer(): void {
    const { wakeMs } = this.core;
    if (!this.isAlive || wakeMs === null) return;
    const atMs = this.machine.clock.whenMono(wakeMs, this.world.nowMs);
    if (atMs === null || atMs >= this.#tickMs) return;
    this.#tickMs = atMs;
    this.world.plan(atMs, () => {
      if (this.#tickMs !== atMs) return;
      this.#tickMs = Number.POSITIVE_INFINITY;
      this.#tick();
    });
  }

  #tick(): void {
    const { world } = this;
    const { wakeMs } = this.core;
    if (!this.isAlive || wakeMs === null) return;
    if (this.isPaused) {
      // The timers of a machine that sleeps stand still with its monotonic clock.
      this.#isTickDue = this.#now().monoMs >= wakeMs;
      return;
    }
    if (this.#now().monoMs < wakeMs) {
      this.armTimer();
      return;
    }
    if (world.isOn('late-timer') && world.random('late-timer').chance(0.1)) {
      world.tally.count('late-timer');
      const laterMs = world.nowMs + 1 + world.random('late-timer').below(world.ttlMs);
      world.plan(laterMs, () => this.perform(() => this.step({ type: 'tick' })));
      return;
    }
    this.step({ type: 'tick' });
  }

  #tickIfDue(): void {
    if (!this.#isTickDue || !this.isAlive) return;
    this.#isTickDue = false;
    this.step({ type: 'tick' });
  }

  #do(output: Output): void {
    const { world } = this;
    world.tell(() => `${this.core.nonce} says ${output.type}`);
    this.#observer.said(output, this.core, this.isWorking, this.#now());
    switch (output.type) {
      case 'acquire':
        this.#send(output.call, 'acquire', output.request.nonce, output);
        return;
      case 'renew':
        this.#send(output.call, 'renew', output.request.nonce, output);
        return;
      case 'release':
        this.#send(output.call, 'release', output.request.nonce, output);
        return;
      case 'elected':
        world.elected(this);
        this.lastHeld = null;
        this.#work = new SimulatedWork(output.token, world, world.sink, this.#employer(), world.killable);
        return;
      case 'stopping':
        world.tally.count(`lost: ${output.reason}`);
        world.changes++;
        this.#work?.tell();
        return;
      case 'overdue':
        world.tally.count('overdue');
        if (world.mutant.kills) this.#work?.kill();
        return;
      case 'waiting':
        this.lastHeld = output.record;
        world.proveGone(this, output.record);
    }
  }

  /** Timers that are late by a fault excuse a leader that does not look at its clocks. */
  #lookForSleepers(now: ClockReading): void {
    if (!this.isPaused && !this.world.setting.faults.has('late-timer')) this.#observer.looked(this.core, now);
  }

  #employer() {
    return {
      perform: (action: () => void) => this.perform(action),
      isValid: () => this.core.isValid(this.#now()),
      // Work that need not report progress does not: otherwise its reports would wake a leader that forgets to look.
      beat: () => {
        if (this.machine.options.timing.stallAfterMs !== null) this.step({ type: 'progress' });
      },
      settled: () => this.step({ type: 'settled' }),
    };
  }

  #send(call: number, kind: SentCall['kind'], nonce: string, request: Request): void {
    const sent = { kind, nonce, sent: this.#now() };
    this.#calls.set(call, sent);
    this.#observer.sent(sent);
    this.world.request(this, request, (reply) => this.perform(() => this.#take(call, reply)));
  }

  #take(call: number, reply: Reply): void {
    const isRelease = reply.type === 'release-answer';
    if ((reply.type === 'renew-answer' || isRelease) && reply.answer.type === 'evicted') {
      this.#observer.evicted(this.#calls.get(call)!, reply.answer.cooldownMs);
    }
    const isDone = (type: string): boolean => type === 'ok' || (isRelease && type === 'evicted');
    if (reply.type !== 'store-error' && isDone(reply.answer.type)) {
      const token = reply.type === 'acquire-answer' && reply.answer.type === 'ok' ? reply.answer.token : null;
      this.#observer.answered(this.#calls.get(call)!, token, this.#now());
    }
    if (reply.type === 'acquire-answer')
      this.step({ ...reply, call, pushing: this.world.isPushing || this.world.mutant.believesPush });
    else this.step({ ...reply, call });
  }

  #now(): ClockReading {
    return this.machine.clock.now(this.world.nowMs);
  }
}
