/** The store's clock, as far as the page can tell: the time of the last message, and what has passed here since. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LastKnown } from './lease-feed.ts';

const TICK_MS = 100;
const CALM_TICK_MS = 1_000;
const ticks = signal(0);

let users = 0;
let timer = 0;

/** Renders the component again ten times a second, or once if the reader wants less motion. */
export function useTicks(): void {
  // The value is read, so that the component depends on it.
  void ticks.value;
  useEffect(() => {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const tick = (): void => {
      if (!document.hidden) ticks.value = performance.now();
    };
    if (users++ === 0) timer = setInterval(tick, isCalm ? CALM_TICK_MS : TICK_MS);
    return () => {
      if (--users === 0) clearInterval(timer);
    };
  }, []);
}

export const passedMs = ({ atMs }: LastKnown): number => performance.now() - atMs;

/** Now on the store's clock. */
export const storeNowMs = (known: LastKnown): number => known.election.nowMs + passedMs(known);

/** What is left of the lease; null if nobody leads, or if the store has no clock. */
export function leftMs(known: LastKnown): number | null {
  const { leader } = known.election;
  if (leader.type !== 'led' || leader.remainingMs === null) return null;
  return Math.max(0, leader.remainingMs - passedMs(known));
}

/** A time of day, with the date if it is another day. */
export function clockText(ms: number): string {
  const date = new Date(ms);
  const time = date.toLocaleTimeString([], { hour12: false });
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? time : `${date.toLocaleDateString()} ${time}`;
}
