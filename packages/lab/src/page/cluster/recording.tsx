import '../check/check.css';
import '../run/run.css';
import { useEffect, useMemo, useState } from 'preact/hooks';
import {
  type ClusterPart,
  ClusterReader,
  partText,
  type RecordedCluster,
  recordingVerdict,
} from '../../model/recording/recorded-cluster.ts';
import type { RecordingTexts } from '../../model/recording/recording-texts.ts';
import { nodesTable } from '../../model/run/node-table.ts';
import { findAlgorithm } from '../../model/setup/algorithm-list.ts';
import { StepList } from '../check/step-list.tsx';
import { transportActions } from '../run/run-actions.ts';
import { RunStore } from '../run/run-store.ts';
import { Transport } from '../run/transport.tsx';
import { useActions } from '../shell/actions.ts';
import { Button } from '../shell/button.tsx';
import { Notice } from '../shell/notice.tsx';
import { PageHeading } from '../shell/page-heading.tsx';
import { extra, navigate } from '../shell/router.ts';
import { DataTable } from '../shell/text-alternative.tsx';
import { NetworkView } from '../views/network-view.tsx';
import { SpaceTime } from '../views/space-time.tsx';
import { VerdictText } from '../views/verdict-text.tsx';

type State =
  | { readonly type: 'reading'; readonly taken: number; readonly total: number }
  | { readonly type: 'failed'; readonly text: string }
  | { readonly type: 'done'; readonly folder: string; readonly recorded: RecordedCluster };

/** The recordings of a cluster, replayed step by step. */
export function Recording() {
  const [state, setState] = useState<State>({ type: 'reading', taken: 0, total: 0 });
  const [reading, setReading] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    read(ending.signal, setState).catch((error: Error) => {
      if (!ending.signal.aborted) setState({ type: 'failed', text: error.message });
    });
    return () => ending.abort();
  }, [reading]);
  const again = (): void => {
    setState({ type: 'reading', taken: 0, total: 0 });
    setReading(reading + 1);
  };
  if (state.type === 'done')
    return <Replayed folder={state.folder} recorded={state.recorded} onAgain={again} />;
  return (
    <>
      <PageHeading>A recorded run of a cluster.</PageHeading>
      {state.type === 'failed' ? (
        <Notice kind="error" text={`The recordings cannot be shown: ${state.text}.`}>
          <Button kind="main" onClick={again}>
            Read them again
          </Button>
        </Notice>
      ) : (
        <p class="recording-progress" role="status">
          <progress max={Math.max(1, state.total)} value={state.taken} aria-label="Progress of the replay" />{' '}
          {state.total > 0 && `${state.taken} of ${state.total} lines replayed`}
        </p>
      )}
    </>
  );
}

/** Replays in slices, so that the page stays responsive. */
const SLICE_MS = 30;

async function read(ending: AbortSignal, show: (state: State) => void): Promise<void> {
  const answer = await fetch('api/recording/traces', { signal: ending });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error);
  const { folder, texts } = body as RecordingTexts;
  const reader = new ClusterReader(texts, (name) => {
    const found = findAlgorithm(name);
    if (found === undefined)
      throw new Error(`${name} is not in the catalogue of the lab; use hustings replay`);
    return found;
  });
  for (;;) {
    const from = performance.now();
    let isOver = false;
    while (!isOver && performance.now() - from < SLICE_MS) isOver = reader.advance(50);
    if (ending.aborted) return;
    if (isOver) return show({ type: 'done', folder, recorded: reader.recorded() });
    show({ type: 'reading', taken: reader.taken, total: reader.total });
    await new Promise((resolve) => setTimeout(resolve));
  }
}

interface ReplayedProps {
  readonly folder: string;
  readonly recorded: RecordedCluster;
  readonly onAgain: () => void;
}

function Replayed({ folder, recorded, onAgain }: ReplayedProps) {
  const { parts, report } = recorded;
  const verdict = recordingVerdict(report);
  const violated = parts.findIndex((part) => part.violatedAt !== null);
  const number = Number(extra.value.part ?? (violated < 0 ? parts.length : violated + 1));
  const part = parts[Math.max(0, Math.min(parts.length, Math.trunc(number) || 1) - 1)];
  const title = findAlgorithm(report.algorithm)?.title ?? report.algorithm;
  return (
    <>
      <PageHeading>
        A recorded run of <strong>{title}</strong> between {report.members.length}{' '}
        {report.members.length === 1 ? 'process' : 'processes'} of the cluster{' '}
        <strong>{report.cluster}</strong>
        {parts.length > 1 && (
          <>
            :{' '}
            <select
              class="clause-field"
              aria-label="Part of the recording"
              value={String(parts.indexOf(part) + 1)}
              onChange={(event) => navigate({ extra: { part: event.currentTarget.value } })}
            >
              {parts.map((each, k) => (
                <option key={k} value={String(k + 1)}>
                  {partText(each.report)}
                </option>
              ))}
            </select>
          </>
        )}
        .
      </PageHeading>
      <div class="recording">
        <section class="recording-verdict" aria-label="Verdict">
          <VerdictText kind={verdict.kind} text={verdict.text} />
          {verdict.lines.map((line) => (
            <p key={line} class="recording-line">
              {line}
            </p>
          ))}
          <p class="caption">
            {`${report.incarnations} processes, ${report.steps} steps, ${parts.length} ${parts.length === 1 ? 'part' : 'parts'}, from ${folder}`}{' '}
            <Button kind="plain" onClick={onAgain}>
              Read it again
            </Button>
          </p>
        </section>
        {part !== undefined && <PartViews key={parts.indexOf(part)} part={part} />}
      </div>
    </>
  );
}

/** One run with one cursor: its steps, its network, its diagram, and the state of each member. */
function PartViews({ part }: { readonly part: ClusterPart }) {
  const { model, times, violatedAt } = part;
  const store = useMemo(() => {
    const made = new RunStore(model);
    made.seek(violatedAt ?? model.length);
    return made;
  }, [part]);
  useEffect(() => () => store.dispose(), [store]);
  useActions(transportActions(store));
  const { position } = store.snapshot.value;
  const at = times[position - 1] ?? null;
  const text = at === null ? '' : `, ${new Date(at).toLocaleTimeString([], { hour12: false })}`;
  return (
    <section class="found" aria-label="Recorded run">
      <div class="found-views">
        <StepList store={store} />
        <NetworkView store={store} narration={`The recorded run after step ${position}`} />
        <SpaceTime store={store} isPlain />
      </div>
      <Transport store={store} />
      <h2>
        Members after step {position}
        {text}
      </h2>
      <DataTable {...nodesTable(model)} />
    </section>
  );
}
