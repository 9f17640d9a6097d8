import './check.css';
import { formatFigure } from '@hustings/base';
import { defaultCheckNodes, type FoundRun } from '@hustings/study/checker';
import { useEffect, useMemo } from 'preact/hooks';
import {
  type CheckChoices,
  type CheckProgress,
  type CheckReply,
  type CheckRequest,
  checkChoices,
  checkOptions,
} from '../../model/check/check-request.ts';
import { foundLink, foundModel } from '../../model/check/found-run.ts';
import { scopeText, verdictOf } from '../../model/check/verdict.ts';
import { algorithmOf, type LabSetup } from '../../model/setup/lab-setup.ts';
import { nodesInSetup } from '../../model/setup/sentence.ts';
import { encodeLink } from '../../model/setup/url-state.ts';
import { RunStore } from '../run/run-store.ts';
import { SetupSentence } from '../sentence/setup-sentence.tsx';
import { useActions } from '../shell/actions.ts';
import { Button } from '../shell/button.tsx';
import { Notice } from '../shell/notice.tsx';
import { extra, navigate, setup } from '../shell/router.ts';
import { Toggle } from '../shell/toggle.tsx';
import { NetworkView } from '../views/network-view.tsx';
import { SpaceTime } from '../views/space-time.tsx';
import { VerdictText } from '../views/verdict-text.tsx';
import { CheckStore } from './check-store.ts';
import { DepthChart } from './depth-chart.tsx';
import { Puzzles } from './puzzles.tsx';
import { StateGraph } from './state-graph.tsx';
import { StepList } from './step-list.tsx';

/** Every schedule of a small network, searched in a worker. */
export default function CheckPage() {
  const store = useMemo(() => new CheckStore(), []);
  useEffect(() => () => store.dispose(), [store]);
  const request: CheckRequest = { setup: setup.value, choices: checkChoices(setup.value, extra.value) };
  const key = JSON.stringify(request);
  const isPuzzle = extra.value.puzzle === '1';
  useEffect(() => {
    void store.start(request);
  }, [store, key]);
  const state = store.state.value;
  useActions([
    { id: 'check.start', title: 'Search again', run: () => void store.start(request) },
    {
      id: 'check.cancel',
      title: 'Cancel the search',
      run: () => store.cancel(),
      when: () => store.state.peek().type === 'running',
    },
  ]);
  return (
    <div class="check-page">
      <CheckHeading setup={setup.value} nodes={nodesOf(request)} />
      <Choices choices={request.choices} nodes={nodesOf(request)} />
      {state.type === 'running' && <Running progress={state.progress} onCancel={() => store.cancel()} />}
      {state.type === 'cancelled' && (
        <Notice kind="empty" text={cancelledText(state.progress)}>
          <Button kind="main" onClick={() => void store.start(request)}>
            Search again
          </Button>
        </Notice>
      )}
      {state.type === 'failed' && (
        <Notice kind="error" text={`The search could not be done: ${state.text}.`}>
          <Button kind="main" onClick={() => void store.start(request)}>
            Try again
          </Button>
          <Button onClick={() => navigate({ setup: { algorithm: setup.value.algorithm }, extra: {} })}>
            Use the defaults
          </Button>
        </Notice>
      )}
      {state.type === 'done' && <Result request={state.request} reply={state.reply} isPuzzle={isPuzzle} />}
      <Puzzles />
    </div>
  );
}

/** The number of nodes that is searched, which a preset may choose. */
function nodesOf(request: CheckRequest): number {
  return nodesInSetup(request.setup, defaultCheckNodes(algorithmOf(request.setup), checkOptions(request)));
}

function CheckHeading({ setup, nodes }: { readonly setup: LabSetup; readonly nodes: number }) {
  return (
    <SetupSentence shown={{ ...setup, nodes }} only={['algorithm', 'topology']}>
      {' '}
      with {nodes} {nodes === 1 ? 'node' : 'nodes'}, in every schedule
    </SetupSentence>
  );
}

const OPTIONS = [
  { name: 'crashes', text: 'crashes' },
  { name: 'recoveries', text: 'recoveries' },
  { name: 'losses', text: 'losses' },
] as const;

/** The options of the search beside the setup. */
function Choices({ choices, nodes }: { readonly choices: CheckChoices; readonly nodes: number }) {
  const set = (name: string, value: string | undefined): void => navigate({ extra: { [name]: value } });
  return (
    <form class="check-choices" onSubmit={(event) => event.preventDefault()}>
      <label>
        nodes
        <input
          class="field"
          type="number"
          min={1}
          max={12}
          value={nodes}
          onChange={({ currentTarget }) => {
            const wanted = currentTarget.valueAsNumber;
            const { ids: _, ...others } = setup.value;
            if (Number.isInteger(wanted) && wanted >= 1) navigate({ setup: { ...others, nodes: wanted } });
          }}
        />
      </label>
      {OPTIONS.map(({ name, text }) => (
        <label key={name}>
          {text}
          <input
            class="field"
            type="number"
            min={0}
            max={9}
            value={choices[name]}
            onChange={({ currentTarget }) => {
              const value = currentTarget.valueAsNumber;
              set(name, value > 0 ? String(value) : undefined);
            }}
          />
        </label>
      ))}
      <Toggle
        text="messages may overtake"
        isOn={choices.fifo === false}
        onChange={(isOn) => set('fifo', isOn ? 'no' : undefined)}
      />
      <Toggle
        text="all orders of ids"
        isOn={choices.orders === 'all'}
        onChange={(isOn) => set('orders', isOn ? 'all' : undefined)}
      />
      <Toggle
        text="every set of initiators"
        isOn={choices.initiators === 'subsets'}
        onChange={(isOn) => set('starts', isOn ? 'subsets' : undefined)}
      />
      <Toggle
        text="worst case"
        isOn={choices.worst !== undefined}
        onChange={(isOn) => set('worst', isOn ? 'messages' : undefined)}
      />
    </form>
  );
}

function Running({
  progress,
  onCancel,
}: {
  readonly progress: CheckProgress | null;
  readonly onCancel: () => void;
}) {
  const rate = progress === null ? 0 : Math.round((1000 * progress.states) / Math.max(1, progress.ms));
  return (
    <div class="check-running" role="status">
      <progress
        aria-label="Progress of the search"
        {...(progress?.expected ? { max: progress.expected, value: progress.states } : {})}
      />
      <p>
        {progress === null
          ? 'Searching…'
          : `${formatFigure(progress.states)} states so far, ${formatFigure(progress.waiting)} to expand, ${formatFigure(rate)} per second`}
      </p>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  );
}

function cancelledText(progress: CheckProgress | null): string {
  if (progress === null) return 'The search was cancelled before its first states.';
  return `Cancelled after ${formatFigure(progress.states)} states: no violation found so far. This is not a proof.`;
}

interface ResultProps {
  readonly request: CheckRequest;
  readonly reply: CheckReply;
  readonly isPuzzle: boolean;
}

function Result({ request, reply, isPuzzle }: ResultProps) {
  const { ms, result } = reply;
  const verdict = verdictOf(result);
  const [violation] = result.violations;
  const isHidden = isPuzzle && extra.value.show !== '1';
  if (isHidden && violation !== undefined) {
    return (
      <Notice
        kind="empty"
        text="Some schedule breaks this algorithm. Find it as the adversary, or let the checker show it."
      >
        <Button
          kind="main"
          onClick={() => navigate({ page: 'run', setup: puzzleSetup(request.setup, violation) })}
        >
          Be the adversary
        </Button>
        <Button onClick={() => navigate({ extra: { show: '1' } })}>Show me</Button>
      </Notice>
    );
  }
  return (
    <>
      <section class="check-verdict" aria-label="Verdict">
        <VerdictText {...verdict} />
        {reply.ids !== null && (
          <p>{`The ids are ${reply.ids.join(' ')} by position. Other orders were not searched.`}</p>
        )}
        <p class="caption">
          {`${formatFigure(result.states)} states, ${formatFigure(result.transitions)} transitions, depth ${formatFigure(result.depth)}, ${(ms / 1000).toFixed(ms < 1000 ? 2 : 1)} s`}
          {result.reductions.length > 0 && `; reduced by ${result.reductions.join(' and ')}`}
        </p>
        <ul class="properties">
          {verdict.lines.map(({ mark, name, text }) => (
            <li key={name} data-mark={mark}>
              <span class="mark">{mark}</span> <strong>{name}</strong> {text}
            </li>
          ))}
        </ul>
        {scopeText(result) !== null && <p class="caption">{scopeText(result)}</p>}
        {result.failureDetection !== null && <p class="caption">{result.failureDetection}</p>}
      </section>
      {violation !== undefined && (
        <Found
          title="Counterexample"
          request={request}
          reply={reply}
          found={violation}
          property={violation.property}
        />
      )}
      {result.worst && (
        <Found
          title={`A most expensive run: ${result.worst.value} ${result.worst.measure}`}
          request={request}
          reply={reply}
          found={result.worst}
        />
      )}
      {violation === undefined && !result.worst && reply.graph !== null && (
        <StateGraph graph={reply.graph} steps={[]} position={0} onSeek={() => {}} />
      )}
      {reply.graph === null && <DepthChart widths={reply.widths} isOpen={result.stopped !== null} />}
    </>
  );
}

function puzzleSetup({ algorithm, set, topology }: LabSetup, { ids }: FoundRun): LabSetup {
  const isAnonymous = algorithmOf({ algorithm }).assumes.ids === 'anonymous';
  return {
    algorithm,
    ...(set && { set }),
    ...(topology && { topology }),
    ...(isAnonymous ? { nodes: ids.length } : { ids: [...ids] }),
  };
}

interface FoundProps {
  readonly title: string;
  readonly request: CheckRequest;
  readonly reply: CheckReply;
  readonly found: FoundRun;
  readonly property?: string;
}

/** A run that the search found: its steps, its network and diagram, and its path in the state graph, with one cursor. */
function Found({ title, request, reply, found, property }: FoundProps) {
  const store = useMemo(() => {
    const made = new RunStore(foundModel(request.setup, found, property, algorithmOf(request.setup)));
    // What was searched for is seen first.
    made.seek(made.model.length);
    return made;
  }, [request, found, property]);
  useEffect(() => () => store.dispose(), [store]);
  const link = useMemo(() => foundLink(request.setup, found, property), [request, found, property]);
  const position = store.snapshot.value.position;
  return (
    <section class="found" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {link === null ? (
          <span class="caption">Its timing cannot be chosen on the page Run.</span>
        ) : (
          <a class="button" href={encodeLink(link)}>
            Open in Run
          </a>
        )}
      </header>
      <div class="found-views">
        <StepList store={store} />
        <NetworkView store={store} narration={title} />
        <SpaceTime store={store} isPlain />
      </div>
      {reply.graph !== null && (
        <StateGraph
          graph={reply.graph}
          steps={found.steps}
          position={position}
          onSeek={(at) => store.seek(at)}
        />
      )}
    </section>
  );
}
