/** Searches one state space, and draws its graph if it is small. */
import { checkInSlices, planCheck, stateGraph } from '@hustings/study/checker';
import {
  type CheckProgress,
  type CheckReply,
  type CheckRequest,
  checkOptions,
  MAX_CHECKED_NODES,
  MAX_DRAWN_STATES,
} from '../model/check/check-request.ts';
import { algorithmOf } from '../model/setup/lab-setup.ts';
import { serveJob, sometimes } from './serve-job.ts';

serveJob<CheckRequest, CheckProgress, CheckReply>((request, report) => {
  const algorithm = algorithmOf(request.setup);
  const plan = planCheck(algorithm, checkOptions(request));
  const { options, setup: resolved } = plan;
  if (resolved.nodes > MAX_CHECKED_NODES) {
    throw new Error(
      `every schedule is searched up to ${MAX_CHECKED_NODES} nodes, not ${resolved.nodes}: take fewer`,
    );
  }
  const startMs = performance.now();
  const tell = sometimes(report);
  const widths: number[] = [];
  const slices = checkInSlices({
    ...plan,
    options: {
      ...options,
      onSearched: (found) =>
        found.forEach((count, depth) => {
          widths[depth] = (widths[depth] ?? 0) + count;
        }),
      onProgress: (states, waiting, _bytes, expected = null) =>
        tell({ states, waiting, expected, ms: performance.now() - startMs }),
    },
  });
  let slice = slices.next();
  while (slice.done !== true) slice = slices.next();
  const result = slice.value;
  const ms = performance.now() - startMs;
  const ids = resolved.anonymous || options.orders === 'all' ? null : [...resolved.ids];
  return { result, ids, ms, widths, graph: graphOf(request, result.instances.all, result.states) };
});

function graphOf(request: CheckRequest, instances: number, states: number): CheckReply['graph'] {
  // With reductions fewer states are searched than the graph has.
  if (instances > 1 || states > MAX_DRAWN_STATES) return null;
  try {
    const { states: all, edges } = stateGraph(
      algorithmOf(request.setup),
      checkOptions(request),
      MAX_DRAWN_STATES,
    );
    return {
      states: all.map(({ depth, isTerminal, messages, nodes, violation }) => ({
        ...{ depth, isTerminal, violation },
        text: [
          ...nodes.map(({ decision, position, status }) => `${position}: ${decision?.role ?? status}`),
          ...messages,
        ].join(', '),
      })),
      edges: edges.map(({ from, step, to }) => ({ from, step, to })),
    };
  } catch {
    // Too many states for a drawing.
    return null;
  }
}
