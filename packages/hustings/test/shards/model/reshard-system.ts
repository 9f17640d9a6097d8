/**
 * Splits and merges of one shard, with the real rules of shard-tree.ts. Members take the leases of the shard and of its two
 * children in any order and at any time, for any reason. A lease may end at any time, when the work under it has stopped. A mark
 * that was sent may reach the store at any time while its term lasts, also after its sender has given up waiting and was told
 * that it failed. What a new owner reads about the relatives of its shard comes later than its grant, one record at a time.
 *
 *   one owner: the work of the shard never runs together with that of one of its children
 *   no orphans: a first child whose mark names a term that could decide a merge never waits for a term that works on
 *
 * Members are not told apart: a merge may stop the work of two terms of any members, which allows more than reality.
 */
import type { Violation } from '../../../../study/src/checker/index.ts';
import { type PlainStep, PlainSystem } from '../../../../study/test/checker/plain-system.ts';
import { markText, parseMark } from '../../../src/shards/core/shard-mark.ts';
import * as tree from '../../../src/shards/core/shard-tree.ts';
import { relativesOf } from '../../../src/shards/core/shard-tree.ts';

export interface ReshardSetting {
  readonly splits: number;
  readonly merges: number;
  /** How many terms each shard may have. */
  readonly terms: number;
  /** What a mutant replaces. */
  readonly admit?: typeof tree.admit;
  /** A member whose mark was not answered goes on with the work. */
  readonly resumesAfterSplit?: boolean;
  readonly resumesAfterMerge?: boolean;
  /** A member whose first mark of a merge failed goes on with the work of the second child. */
  readonly resumesAfterFailure?: boolean;
  /** The decision is sent before the first mark is answered. */
  readonly decidesAtOnce?: boolean;
}

/** A term of a member: what it knows, and what it does. */
interface OwnTerm {
  shard: number;
  token: number;
  /** The mark that the grant returned; '' for none. */
  own: string;
  /** reads: asks for the records of the relatives; works; stopped: for a mark. */
  state: 'reads' | 'works' | 'stopped';
  /** The records that it has read: mark, token, whether it is held. */
  relatives: { [shard: string]: [string, number, boolean] };
  epoch: number;
}

interface ReshardState {
  /** Per shard: the latest token, whether that term lasts, and the mark. */
  rows: { token: number; isHeld: boolean; mark: string }[];
  terms: OwnTerm[];
  /** Marks under way. */
  sent: { shard: number; token: number; mark: string; next: string }[];
  splits: number;
  merges: number;
}

const SHARDS = ['s', 's/0', 's/1'];
const copy = (state: ReshardState): ReshardState => JSON.parse(JSON.stringify(state));

export class ReshardSystem extends PlainSystem<ReshardState> {
  constructor(private readonly setting: ReshardSetting) {
    super();
  }

  start(): ReshardState {
    const { splits, merges } = this.setting;
    return {
      rows: SHARDS.map(() => ({ token: 0, isHeld: false, mark: '' })),
      terms: [],
      sent: [],
      splits,
      merges,
    };
  }

  *stepsOf(state: ReshardState): Generator<PlainStep<ReshardState>> {
    for (const [shard, row] of state.rows.entries()) {
      if (row.isHeld || row.token >= this.setting.terms) continue;
      const to = copy(state);
      const token = row.token + 1;
      to.rows[shard] = { ...row, token, isHeld: true };
      to.terms.push({ shard, token, own: row.mark, state: 'reads', relatives: {}, epoch: 0 });
      to.terms.sort((one, other) => one.shard - other.shard);
      yield { label: `${SHARDS[shard]} is granted`, to };
    }
    for (const [at, term] of state.terms.entries()) yield* this.termSteps(state, at, term);
    yield* this.mergeSteps(state);
    for (const [at, { shard, token, mark, next }] of state.sent.entries()) {
      if (next !== '') yield { label: 'the first mark of a merge fails', to: this.afterFailure(state, at) };
      const row = state.rows[shard];
      const to = copy(state);
      to.sent.splice(at, 1);
      if (row.token === token && row.isHeld) {
        to.rows[shard].mark = mark;
        // The answer to the first mark of a merge lets its sender decide.
        if (next !== '') to.sent.push(JSON.parse(next));
        yield { label: `the store marks ${SHARDS[shard]} '${mark}'`, to };
      } else yield { label: `the store refuses '${mark}'`, to };
    }
  }

  violationIn(state: ReshardState): Violation | null {
    const working = state.terms.flatMap((term) => (term.state === 'works' ? [term.shard] : []));
    if (working.includes(0) && working.length > 1) {
      return {
        property: 'one owner',
        text: 'the work of the shard runs together with other work on its keys',
      };
    }
    if (new Set(working).size < working.length) {
      return { property: 'one owner', text: 'a shard has two owners' };
    }
    const mark = parseMark(state.rows[1].mark || null);
    // A mutant whose work always goes on is to be caught for two owners.
    if (mark?.type !== 'merged' || this.setting.resumesAfterMerge) return null;
    const isAwaited = (term: OwnTerm): boolean =>
      term.shard === 2 && BigInt(term.token) === mark.sibling && BigInt(term.epoch) === mark.parent;
    return state.terms.some((term) => term.state === 'works' && isAwaited(term))
      ? { property: 'no orphans', text: 'the first child waits for a term that works on' }
      : null;
  }

  violationAtEnd(): null {
    return null;
  }

  /** The sender decides nothing, and both terms will end. The mark is still under way. */
  private afterFailure(state: ReshardState, at: number): ReshardState {
    const to = copy(state);
    const decision = JSON.parse(to.sent[at].next);
    to.sent[at].next = '';
    const second = to.terms.find(({ shard, token }) => shard === 2 && token === decision.token);
    if (this.setting.resumesAfterFailure && second?.state === 'stopped') second.state = 'works';
    return to;
  }

  private *termSteps(state: ReshardState, at: number, term: OwnTerm): Generator<PlainStep<ReshardState>> {
    const shard = SHARDS[term.shard];
    // The work stops first. A crash is the same, seen from outside.
    const ended = copy(state);
    ended.terms.splice(at, 1);
    ended.rows[term.shard].isHeld = false;
    yield { label: `the term of ${shard} ends`, to: ended };
    if (term.state === 'reads') {
      const related = relativesOf(shard).filter((each) => SHARDS.includes(each));
      const missing = related.find((each) => term.relatives[each] === undefined);
      if (missing !== undefined) {
        const to = copy(state);
        const { mark, token, isHeld } = state.rows[SHARDS.indexOf(missing)];
        to.terms[at].relatives[missing] = [mark, token, isHeld];
        yield { label: `the new owner of ${shard} reads ${missing}`, to };
        return;
      }
      const admission = (this.setting.admit ?? tree.admit)(shard, parseMark(term.own || null), 0n, (each) => {
        const read = term.relatives[each];
        return read && { mark: parseMark(read[0] || null), token: BigInt(read[1]), isHeld: read[2] };
      });
      if (admission.type !== 'work') return;
      const to = copy(state);
      Object.assign(to.terms[at], { state: 'works', epoch: Number(admission.epoch), relatives: {}, own: '' });
      yield { label: `${shard} has work`, to };
    }
    if (term.state === 'works' && term.shard === 0 && state.splits > 0) {
      const to = copy(state);
      to.splits--;
      to.terms[at].state = this.setting.resumesAfterSplit ? 'works' : 'stopped';
      const mark = markText({ type: 'split', parent: 0n, epoch: BigInt(term.token), text: null });
      to.sent.push({ shard: 0, token: term.token, mark, next: '' });
      yield { label: 'the work of s stops, and its owner sends the mark of a split', to };
    }
  }

  private *mergeSteps(state: ReshardState): Generator<PlainStep<ReshardState>> {
    const { terms, merges } = state;
    const [first, second] = [1, 2].map((shard) =>
      terms.findIndex((term) => term.shard === shard && term.state === 'works'),
    );
    if (merges === 0 || first < 0 || second < 0) return;
    const to = copy(state);
    to.merges--;
    const mark = (at: number, sibling: number): string =>
      markText({ type: 'merged', parent: BigInt(terms[at].epoch), sibling: BigInt(sibling), text: null });
    const decision = { shard: 2, token: terms[second].token, mark: mark(second, 0), next: '' };
    const before = { shard: 1, token: terms[first].token, mark: mark(first, terms[second].token) };
    for (const at of [first, second])
      to.terms[at].state = this.setting.resumesAfterMerge ? 'works' : 'stopped';
    if (this.setting.decidesAtOnce) to.sent.push({ ...before, next: '' }, decision);
    else to.sent.push({ ...before, next: JSON.stringify(decision) });
    yield { label: 'the work of both children stops, and their owner sends the first mark of a merge', to };
  }
}
