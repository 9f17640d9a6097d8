/**
 * The timers of all nodes. Setting a running timer restarts it; a timer fires once. Timers of the same time fire in the order
 * in which they were set.
 *
 * Most timers are restarted or cleared long before they are due, so no queue holds them. A tree over the table has for each
 * group of timers, and each group of groups, a time before which none of them is due. Setting a timer lowers these bounds;
 * clearing or postponing one leaves them as they are. They are raised when a bound is reached.
 */
import { NONE } from '../kernel/field.ts';
import { TICKS } from './schedules/schedule.ts';

/** The columns of a timer. They are written together, so they are in one row. */
const COLUMNS = 2;
/** When it is due, in ticks; 0 if it does not run. */
const DUE = 0;
/** Its turn among timers of the same time. */
const TURN = 1;

/** A group has 64 members. */
const GROUP_BITS = 6;
const GROUP = 1 << GROUP_BITS;

export class TimerTable {
  private readonly nodes: number;
  private readonly kinds: number;
  /** The rows by place, which is `timer * nodes + node`: rows of a timer that no node uses are never in the cache. */
  private readonly rows: Float64Array;
  /** The bounds of groups of timers, then of groups of groups, up to a single group. */
  private readonly levels: Float64Array[] = [];
  private readonly root: Float64Array;
  private turn = 0;
  private running = 0;
  /** The timers that are due at the time `firing`, in order; those before `fired` have had their turn. */
  private due: number[] = [];
  private firing = -1;
  private fired = 0;

  constructor(nodes: number, kinds: number) {
    this.nodes = nodes;
    this.kinds = kinds;
    this.rows = new Float64Array(nodes * kinds * COLUMNS);
    let groups = nodes * kinds;
    do {
      groups = Math.max(1, Math.ceil(groups / GROUP));
      this.levels.push(new Float64Array(groups).fill(Number.POSITIVE_INFINITY));
    } while (groups > 1);
    this.root = this.levels[this.levels.length - 1];
  }

  /** No timer is due before this time. */
  get bound(): number {
    return this.root[0];
  }

  /** When the next timer is due, if that is before `limit`; otherwise some time that is not before `limit`. */
  nextTime(limit: number): number {
    if (this.running === 0) return Number.POSITIVE_INFINITY;
    return this.root[0] >= limit ? this.root[0] : this.raise(this.levels.length - 1, 0, limit);
  }

  /** The first `length` entries of `settings` are pairs of a timer and its units; NONE clears the timer. */
  set(now: number, at: number, settings: readonly number[], length: number): void {
    for (let k = 0; k < length; k += 2) {
      const place = settings[k] * this.nodes + at;
      const units = settings[k + 1];
      if (units === NONE) this.clear(place);
      else this.start(place, now + Math.max(1, Math.round(units * TICKS)));
    }
  }

  /** The next timer that is due now, as its place, or −1; the timer stops. */
  take(now: number): number {
    if (this.root[0] > now) return NONE;
    if (this.firing !== now) this.collect(now);
    while (this.fired < this.due.length) {
      const place = this.due[this.fired++];
      // Another timer of this time may have cleared or restarted it.
      if (this.rows[place * COLUMNS + DUE] !== now) continue;
      this.clear(place);
      return place;
    }
    return NONE;
  }

  clearAll(at: number): void {
    for (let timer = 0; timer < this.kinds; timer++) this.clear(timer * this.nodes + at);
  }

  private start(place: number, due: number): void {
    const { levels, rows } = this;
    const row = place * COLUMNS;
    // Set again to the same time, it keeps its turn.
    if (rows[row + DUE] === due) return;
    if (rows[row + DUE] === 0) this.running++;
    rows[row + DUE] = due;
    rows[row + TURN] = this.turn++;
    let group = place >> GROUP_BITS;
    for (let level = 0; level < levels.length && levels[level][group] > due; level++) {
      levels[level][group] = due;
      group >>= GROUP_BITS;
    }
  }

  private clear(place: number): void {
    const { rows } = this;
    if (rows[place * COLUMNS + DUE] === 0) return;
    rows[place * COLUMNS + DUE] = 0;
    this.running--;
  }

  /** Raises the bounds that are below `limit`, and returns that of this group: it is exact, or not below `limit`. */
  private raise(level: number, group: number, limit: number): number {
    const bounds = this.levels[level];
    if (bounds[group] >= limit) return bounds[group];
    const first = group * GROUP;
    const end = Math.min(first + GROUP, level > 0 ? this.levels[level - 1].length : this.nodes * this.kinds);
    let least = Number.POSITIVE_INFINITY;
    for (let member = first; member < end; member++) {
      const time = level > 0 ? this.raise(level - 1, member, limit) : this.rows[member * COLUMNS + DUE];
      if (time < least && time > 0) least = time;
    }
    bounds[group] = least;
    return least;
  }

  /** Collects the timers that are due now. */
  private collect(now: number): void {
    const { rows } = this;
    this.firing = now;
    this.fired = 0;
    this.due.length = 0;
    this.collectFrom(this.levels.length - 1, 0, now);
    const turnOf = (place: number): number => rows[place * COLUMNS + TURN];
    const isInOrder = this.due.every((place, k) => k === 0 || turnOf(this.due[k - 1]) < turnOf(place));
    if (!isInOrder) this.due.sort((one, other) => turnOf(one) - turnOf(other));
  }

  private collectFrom(level: number, group: number, now: number): void {
    if (this.levels[level][group] > now) return;
    const first = group * GROUP;
    const end = Math.min(first + GROUP, level > 0 ? this.levels[level - 1].length : this.nodes * this.kinds);
    for (let member = first; member < end; member++) {
      if (level > 0) this.collectFrom(level - 1, member, now);
      else if (this.rows[member * COLUMNS + DUE] === now) this.due.push(member);
    }
  }
}
