/**
 * Fair order in all states of one lease and three candidates: requests, renewals, releases, reservations, withdrawals and the
 * passing of time, in every order. What the store's rules answer is compared with a queue that is kept beside them.
 */
import { describe, expect, it } from 'vitest';
import type { AcquireRequest } from '../../../src/lease/core/calls.ts';
import { EMPTY_ROW, type LeaseRow } from '../../../src/lease/core/lease-row.ts';
import type { Registration } from '../../../src/lease/core/queue.ts';
import { Election } from '../../../src/lease/stores/election.ts';

const IDS = ['A', 'B', 'C'] as const;
type Id = (typeof IDS)[number];
/** The duration of a lease, a registration and a reservation. */
const SPAN_MS = 2;
/** Every state is moved to this time. */
const NOW_MS = 1_000;
const NOW = { monoMs: NOW_MS, wallMs: NOW_MS };
const RULES = { hasClock: true, keepTerms: 1 };

/** One that waits, in the order of arrival, as the specification has it. */
interface Place {
  readonly id: Id;
  readonly untilMs: number;
}

interface State {
  readonly row: LeaseRow;
  readonly waiting: readonly Registration[];
  readonly queue: readonly Place[];
  /** How many terms each candidate had, modulo 2: each term has a nonce of its own. */
  readonly terms: Readonly<Record<Id, number>>;
}

type Step =
  | { readonly type: 'ask' | 'withdraw'; readonly id: Id }
  | { readonly type: 'renew' | 'pass' }
  | { readonly type: 'release'; readonly successor: Id | null };

interface Search {
  readonly states: number;
  readonly grants: number;
  readonly wrong: string | null;
}

/** Changes what the store knows before a request, to plant a fault. */
type Tamper = (election: Election, request: AcquireRequest) => AcquireRequest;

const asIs: Tamper = (_, request) => request;

const isHeld = ({ holder, untilMs }: LeaseRow): boolean => holder !== null && untilMs > NOW_MS;

class FairOrder {
  #grants = 0;

  constructor(
    private readonly priorities: Readonly<Record<Id, number>>,
    private readonly tamper: Tamper,
  ) {}

  search(): Search {
    const start: State = { row: EMPTY_ROW, waiting: [], queue: [], terms: { A: 0, B: 0, C: 0 } };
    const seen = new Set([keyOf(start)]);
    const open = [start];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      for (const step of this.#steps(state)) {
        const next = this.#after(state, step);
        if (typeof next === 'string') {
          return { states: seen.size, grants: this.#grants, wrong: `${next} after ${keyOf(state)}` };
        }
        const key = keyOf(next);
        if (seen.has(key)) continue;
        seen.add(key);
        open.push(next);
      }
    }
    return { states: seen.size, grants: this.#grants, wrong: null };
  }

  #steps({ row, queue }: State): Step[] {
    const holder = isHeld(row) ? row.holder!.id : null;
    const others = IDS.filter((id) => id !== holder);
    return [
      { type: 'pass' },
      ...others.map((id) => ({ type: 'ask', id }) as const),
      ...queue.map(({ id }) => ({ type: 'withdraw', id }) as const),
      ...(holder === null ? [] : [{ type: 'renew' } as const, { type: 'release', successor: null } as const]),
      ...(holder === null ? [] : others.map((successor) => ({ type: 'release', successor }) as const)),
    ];
  }

  /** The next state, or what is wrong. */
  #after(state: State, step: Step): State | string {
    const { row, waiting, queue, terms } = state;
    if (step.type === 'pass') return moved(state);
    const election = new Election('job', row, RULES);
    for (const each of waiting) election.waiting.set(each.nonce, each);
    const term = { name: 'job', nonce: row.holder?.nonce ?? '', token: row.token };
    if (step.type === 'ask') return this.#ask(state, election, step.id);
    if (step.type === 'withdraw') election.withdraw(nonceOf(step.id, terms));
    if (step.type === 'renew') election.renew({ ...term, ttlMs: SPAN_MS }, NOW);
    if (step.type === 'release') {
      const { successor } = step;
      election.release({ ...term, reason: 'released', successor, reserveMs: SPAN_MS }, NOW);
    }
    const left = step.type === 'withdraw' ? queue.filter(({ id }) => id !== step.id) : queue;
    return normal({ row: election.row, waiting: [...election.waiting.values()], queue: left, terms });
  }

  #ask({ row, queue, terms }: State, election: Election, id: Id): State | string {
    const request: AcquireRequest = {
      ...{ name: 'job', id, nonce: nonceOf(id, terms), priority: this.priorities[id], ttlMs: SPAN_MS },
      ...{
        processProof: '',
        goneNonce: null,
        staleVersion: null,
        holdAtLeastMs: 0,
        registerMs: SPAN_MS,
        fair: true,
      },
    };
    const isReserved = row.holder === null && row.successor !== null && row.untilMs > NOW_MS;
    const isSuccessor = isReserved && row.successor === id;
    const isFree = isReserved ? isSuccessor : !isHeld(row);
    const first = this.#firstAhead(queue, id);
    const expected = isFree && (isSuccessor || first === null) ? 'ok' : isFree ? `after ${first}` : 'held';
    const answer = election.acquire(this.tamper(election, request), NOW, 1n);
    const found = answer.type === 'ok' ? 'ok' : answer.ahead === undefined ? 'held' : `after ${answer.ahead}`;
    if (found !== expected) return `${id} is answered ${found}, not ${expected},`;
    const others = queue.filter((each) => each.id !== id);
    const place = { id, untilMs: NOW_MS + SPAN_MS };
    const isWaiting = queue.some((each) => each.id === id && each.untilMs > NOW_MS);
    const after = { row: election.row, waiting: [...election.waiting.values()] };
    if (answer.type === 'ok') {
      this.#grants++;
      return normal({ ...after, queue: others, terms: { ...terms, [id]: 1 - terms[id] } });
    }
    const kept = queue.map((each) => (each.id === id ? place : each));
    return normal({ ...after, queue: isWaiting ? kept : [...others, place], terms });
  }

  /** The first candidate that waits with a higher priority, or with the same one if it has come before. */
  #firstAhead(queue: readonly Place[], id: Id): Id | null {
    const valid = queue.filter(({ untilMs }) => untilMs > NOW_MS);
    const own = valid.findIndex((each) => each.id === id);
    const rank = (each: Id): number => this.priorities[each];
    const ahead = valid.filter(
      (each, index) =>
        each.id !== id &&
        (rank(each.id) > rank(id) || (rank(each.id) === rank(id) && (own < 0 || index < own))),
    );
    const most = Math.max(...ahead.map((each) => rank(each.id)));
    return ahead.find((each) => rank(each.id) === most)?.id ?? null;
  }
}

const nonceOf = (id: Id, terms: State['terms']): string => `${id}${terms[id]}`;
const keyOf = (state: State): string =>
  JSON.stringify(state, (_, value) => (typeof value === 'bigint' ? `${value}` : value));

/** One millisecond later. */
function moved({ row, waiting, queue, terms }: State): State {
  const earlier = <Item extends { readonly untilMs: number }>(item: Item): Item => ({
    ...item,
    untilMs: item.untilMs - 1,
  });
  return normal({ row: earlier(row), waiting: waiting.map(earlier), queue: queue.map(earlier), terms });
}

/**
 * Equal for states with the same future. Tokens and versions only rise. A new place is larger than all others, so only the order
 * of places counts. A registration that has ended counts no more.
 */
function normal({ row, waiting, queue, terms }: State): State {
  const isOver = row.untilMs <= NOW_MS;
  const valid = <Item extends { readonly untilMs: number }>({ untilMs }: Item): boolean => untilMs > NOW_MS;
  const ordered = waiting.filter(valid).sort((a, b) => a.place! - b.place!);
  return {
    row: {
      ...row,
      ...{ token: 1n, version: 1n, challenger: null },
      ...(isOver ? { holder: null, successor: null, untilMs: NOW_MS, durationMs: 0 } : {}),
    },
    waiting: ordered.map((each, index) => ({
      ...each,
      atMs: NOW_MS,
      place: NOW_MS - ordered.length + index,
    })),
    queue: queue.filter(valid),
    terms,
  };
}

describe('fair order, in all states of one lease and three candidates', () => {
  const EQUAL = { A: 0, B: 0, C: 0 };

  it.each([
    ['equal priorities', EQUAL],
    ['one higher priority', { A: 0, B: 0, C: 1 }],
  ])(
    'with %s: the lease goes to the candidate that has waited longest, and never to another',
    (_, priorities) => {
      const { wrong, states, grants } = new FairOrder(priorities, asIs).search();
      expect(wrong).toBeNull();
      expect(states).toBeGreaterThan(1_000);
      expect(grants).toBeGreaterThan(1_000);
    },
  );

  it.each<[string, Tamper]>([
    ['a request that does not ask for the order', (__, request) => ({ ...request, fair: false })],
    [
      'a place that is lost with each request',
      (election, request) => {
        election.withdraw(request.nonce);
        return request;
      },
    ],
    [
      'an order by name',
      ({ waiting }, request) => {
        const sorted = [...waiting.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
        for (const [place, each] of sorted.entries()) waiting.set(each.nonce, { ...each, place });
        return request;
      },
    ],
    [
      'a registration that ends too early',
      ({ waiting }, request) => {
        for (const each of waiting.values()) waiting.set(each.nonce, { ...each, untilMs: each.untilMs - 1 });
        return request;
      },
    ],
  ])('finds %s', (_, tamper) => {
    expect(new FairOrder(EQUAL, tamper).search().wrong).toMatch(/^[ABC] is answered/);
  });
});
