/** The stream of the server about a running cluster, as signals. What was known before a loss is not kept. */

import { purposesOf } from '@hustings/study/internal/drawing/trace/purpose';
import { batch, signal } from '@preact/signals';
import type { ClusterMessage, WatchedMember } from '../../model/cluster/cluster-snapshot.ts';
import { LiveSteps } from '../../model/cluster/live-steps.ts';
import { type LivePurposes, type LiveTimeline, liveTimeline } from '../../model/cluster/live-timeline.ts';
import { findAlgorithm } from '../../model/setup/algorithm-list.ts';
import { followStream, type StreamState } from '../shell/live-stream.ts';

/** The members as they are now. */
export interface LiveCluster {
  readonly cluster: string;
  readonly members: readonly WatchedMember[];
  /** The algorithm of the members that are up; null if none is. */
  readonly algorithm: string | null;
}

/** The events in order, and their diagram. */
export interface LiveRun extends LiveTimeline {
  readonly events: ReturnType<LiveSteps['ordered']>;
  readonly dropped: number;
}

export const streamState = signal<StreamState | 'live'>('connecting');
/** Null while the stream is not live. */
export const cluster = signal<LiveCluster | null>(null);
export const liveRun = signal<LiveRun | null>(null);

/** The diagram is drawn at most this often, and less often for upkeep alone: nobody reads ten rounds per second. */
const DRAW_MS = 100;
const DRAW_UPKEEP_MS = 1_000;
const REACHES: Readonly<Partial<Record<WatchedMember['state'], 'gone' | 'silent'>>> = {
  down: 'gone',
  silent: 'silent',
};
const NO_PURPOSES: LivePurposes = { announcements: [], upkeep: [] };

/** Connects until `ending` aborts. */
export async function followCluster(ending: AbortSignal): Promise<void> {
  let purposes = NO_PURPOSES;
  let steps = new LiveSteps((type) => purposes.upkeep.includes(type));
  let timer = 0;
  let dueMs = Number.POSITIVE_INFINITY;
  const draw = (): void => {
    dueMs = Number.POSITIVE_INFINITY;
    const known = cluster.peek();
    if (known === null) return;
    const events = steps.ordered();
    const ids = known.members.map(({ id }) => id);
    liveRun.value = { events, dropped: steps.dropped, ...liveTimeline(events, ids, purposes) };
  };
  const drawIn = (delayMs: number): void => {
    const atMs = performance.now() + delayMs;
    if (atMs >= dueMs) return;
    clearTimeout(timer);
    dueMs = atMs;
    timer = window.setTimeout(draw, delayMs);
  };
  const onMembers = ({ cluster: name, members, at }: Extract<ClusterMessage, { type: 'members' }>): void => {
    const before = cluster.peek()?.members ?? [];
    const algorithm =
      members.find(({ report }) => report !== null)?.report?.algorithm ?? cluster.peek()?.algorithm ?? null;
    const found = algorithm === null ? undefined : findAlgorithm(algorithm);
    purposes = found === undefined ? NO_PURPOSES : purposesOf(found);
    const isAlike = before.length === members.length && before.every(({ id }, k) => members[k].id === id);
    const left = before.filter(({ id }) => members.every((member) => member.id !== id));
    const changes = [
      ...left.map(({ id }) => steps.noteReach(id, 'gone', at)),
      ...members.map(({ id, since, state }) => steps.noteReach(id, REACHES[state] ?? 'here', since)),
    ];
    cluster.value = { cluster: name, members, algorithm };
    if (!isAlike || changes.includes(true)) drawIn(DRAW_MS);
  };
  await followStream(
    {
      api: 'cluster',
      path: 'events',
      onState: (state) =>
        batch(() => {
          streamState.value = state;
          cluster.value = null;
          // The server sends what it knows again.
          steps = new LiveSteps((type) => purposes.upkeep.includes(type));
        }),
      onMessage: (given) => {
        const message = given as ClusterMessage;
        batch(() => {
          streamState.value = 'live';
          if (message.type === 'members') onMembers(message);
          else if (message.type === 'steps') {
            const isLoud = steps.add(message.id, message.lines, Date.now());
            drawIn(isLoud ? DRAW_MS : DRAW_UPKEEP_MS);
          }
        });
        return true;
      },
    },
    ending,
  );
  clearTimeout(timer);
}
