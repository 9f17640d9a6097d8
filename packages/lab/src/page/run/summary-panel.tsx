import { formatFigure } from '@hustings/base';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { RunProgress, RunSummary } from '../../model/run/run-summary.ts';
import type { LabSetup } from '../../model/setup/lab-setup.ts';
import { type Job, JobCancelled, startJob } from '../../workers/job.ts';
import { Button } from '../shell/button.tsx';
import { Notice } from '../shell/notice.tsx';
import { TextAlternative } from '../shell/text-alternative.tsx';

type State =
  | { readonly type: 'running'; readonly progress: RunProgress | null }
  | { readonly type: 'done'; readonly summary: RunSummary }
  | { readonly type: 'failed'; readonly text: string };

const openWorker = (): Worker =>
  new Worker(new URL('../../workers/summary-worker.ts', import.meta.url), { type: 'module' });

/** A network that is too large to be drawn: its run in figures, computed in a worker. */
export function SummaryPanel({ setup }: { readonly setup: LabSetup }) {
  const state = useSignal<State>({ type: 'running', progress: null });
  const attempt = useSignal(0);
  useEffect(() => {
    state.value = { type: 'running', progress: null };
    const job: Job<RunSummary> = startJob<LabSetup, RunProgress, RunSummary>(
      openWorker,
      setup,
      (progress) => {
        state.value = { type: 'running', progress };
      },
    );
    job.result.then(
      (summary) => {
        state.value = { type: 'done', summary };
      },
      (error: Error) => {
        if (!(error instanceof JobCancelled)) state.value = { type: 'failed', text: error.message };
      },
    );
    return () => job.cancel();
  }, [setup, attempt.value]);
  const shown = state.value;
  if (shown.type === 'failed') {
    return (
      <Notice kind="error" text={`The run ended with an error: ${shown.text}.`}>
        <Button kind="main" onClick={() => attempt.value++}>
          Run again
        </Button>
      </Notice>
    );
  }
  if (shown.type === 'running') {
    const { progress } = shown;
    const far =
      progress === null
        ? ''
        : `: ${formatFigure(progress.messages)} messages until time ${formatFigure(progress.time)}`;
    return <Notice kind="loading" text={`Simulating${far}.`} />;
  }
  return <Figures summary={shown.summary} />;
}

function Figures({ summary: { hops, outcome, overTime, roles } }: { readonly summary: RunSummary }) {
  const { bits, leader, messages, n, time } = outcome;
  const figures: [string, string][] = [
    ['nodes', formatFigure(n)],
    [
      'leader',
      leader === null ? 'none' : leader.id === null ? `position ${leader.position}` : `id ${leader.id}`,
    ],
    ['election messages', formatFigure(messages.election)],
    ['announcement messages', formatFigure(messages.announcement)],
    ['bits', formatFigure(bits)],
    ['elected at', time.electedAt === null ? '–' : formatFigure(time.electedAt)],
    ['longest chain of messages', formatFigure(time.causal)],
    ['nodes that lead', formatFigure(roles.leader)],
    ['nodes that follow', formatFigure(roles.follower)],
    ['nodes that have not decided', formatFigure(roles.undecided)],
    ['nodes that have crashed', formatFigure(roles.crashed)],
  ];
  return (
    <div class="run-summary" id="run-summary">
      <p class="narration">{formatFigure(n)} nodes are too many for a drawing: this is the run in figures.</p>
      <dl class="state-table">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Curve points={overTime} />
      <TextAlternative
        caption="Messages sent until each time"
        columns={['time', 'messages']}
        rows={overTime.map((point) => [formatFigure(point.time), formatFigure(point.messages)])}
      />
      {hops !== null && <Histogram hops={hops} />}
    </div>
  );
}

const [WIDTH, HEIGHT] = [560, 180];

function Curve({ points }: { readonly points: RunSummary['overTime'] }) {
  const last = points.at(-1);
  if (last === undefined || last.messages === 0) return null;
  const x = ({ time }: RunProgress): number => (WIDTH * time) / Math.max(last.time, 1e-9);
  const y = ({ messages }: RunProgress): number => HEIGHT - (HEIGHT * messages) / last.messages;
  const path = points.map(
    (point, k) => `${k === 0 ? 'M' : 'L'}${x(point).toFixed(1)} ${y(point).toFixed(1)}`,
  );
  return (
    <figure>
      <figcaption class="caption">
        messages over time: {formatFigure(last.messages)} until {formatFigure(last.time)}
      </figcaption>
      <svg
        class="summary-plot"
        viewBox={`-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`}
        role="img"
        aria-label={`${formatFigure(last.messages)} messages until time ${formatFigure(last.time)}`}
      >
        <path class="plot-frame" d={`M0 0V${HEIGHT}H${WIDTH}`} />
        <path class="plot-curve" d={`M0 ${HEIGHT}${path.join('').replace(/^M/, 'L')}`} />
      </svg>
    </figure>
  );
}

/** Bins of doubling width: most tokens end after a few hops, one makes them all. */
function Histogram({ hops }: { readonly hops: NonNullable<RunSummary['hops']> }) {
  const bins = new Map<number, number>();
  for (const { count, hops: each } of hops) {
    const bin = 2 ** Math.floor(Math.log2(each));
    bins.set(bin, (bins.get(bin) ?? 0) + count);
  }
  const rows = [...bins].sort(([a], [b]) => a - b);
  const most = Math.max(...rows.map(([, count]) => count));
  return (
    <figure>
      <figcaption class="caption">hops: how often equal messages were sent</figcaption>
      <table class="hops">
        <tbody>
          {rows.map(([from, count]) => (
            <tr key={from}>
              <th scope="row">{from === 1 ? '1' : `${formatFigure(from)}–${formatFigure(2 * from - 1)}`}</th>
              <td>{formatFigure(count)}</td>
              <td>
                <svg viewBox="0 0 200 10" width="200" height="10" aria-hidden="true">
                  <rect class="bullet-bar" width={Math.max(1, (200 * count) / most)} height="10" />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
