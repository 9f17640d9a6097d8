/** The Leases page: who leads on a store, and the demo that shows what leases can and cannot do. */
import './leases.css';
import { capitalized } from '@hustings/base';
import { useEffect, useState } from 'preact/hooks';
import type { DemoAction } from '../../model/leases/demo-snapshot.ts';
import { suggestionOf } from '../../model/leases/lease-text.ts';
import { useActions } from '../shell/actions.ts';
import { Button } from '../shell/button.tsx';
import { Notice } from '../shell/notice.tsx';
import { PageHeading } from '../shell/page-heading.tsx';
import { extra, problems } from '../shell/router.ts';
import { AllTermsDialog, WhoLedDialog } from './history-dialogs.tsx';
import { LeaseBoard } from './lease-board.tsx';
import { change, feed, follow, type LastKnown, lastKnown, present } from './lease-feed.ts';
import { LeaseSentence, WINDOWS } from './lease-sentence.tsx';
import { LeaseTimeline } from './lease-timeline.tsx';
import { EvictDialog, KillDialog, TransferDialog } from './operator-dialogs.tsx';
import { ProcessList, WaitingList } from './process-list.tsx';
import { Resources } from './resource-view.tsx';
import { storeNowMs } from './store-clock.ts';
import { TermList } from './term-list.tsx';

type Open =
  | { readonly type: 'evict' | 'transfer' | 'terms' }
  | { readonly type: 'kill'; readonly id: string }
  | { readonly type: 'at'; readonly atMs: number };

const NARROW = '(max-width: 719px)';
/** How far back the question who led begins. */
const RECENT_MS = 10_000;

export default function LeasesPage() {
  const election = extra.value.election ?? '';
  const isNarrow = useMedia(NARROW);
  const windowMs = useWindowMs(isNarrow ? 30 : 60);
  const [open, setOpen] = useState<Open | null>(null);
  const [error, setError] = useState('');
  useEffect(() => {
    const ending = new AbortController();
    void follow(election, ending.signal);
    return () => ending.abort();
  }, [election]);
  const known = lastKnown.value;
  const askWhoLed = (atMs?: number): void => {
    if (known !== null) setOpen({ type: 'at', atMs: atMs ?? Math.round(storeNowMs(known) - RECENT_MS) });
  };
  const isLed = (): boolean => present.value?.election.leader.type === 'led';
  const act = (id: string, action: DemoAction): void => {
    setError('');
    if (action === 'kill') setOpen({ type: 'kill', id });
    else change('fault', { id, action }).catch((problem: Error) => setError(problem.message));
  };
  useActions([
    {
      id: 'leases.at',
      title: 'Who led at…',
      keys: ['T'],
      run: () => askWhoLed(),
      when: () => known !== null,
    },
    { id: 'leases.evict', title: 'Evict the leader…', run: () => setOpen({ type: 'evict' }), when: isLed },
    {
      id: 'leases.transfer',
      title: 'Transfer the lease…',
      run: () => setOpen({ type: 'transfer' }),
      when: isLed,
    },
    {
      id: 'leases.terms',
      title: 'All terms',
      run: () => setOpen({ type: 'terms' }),
      when: () => known !== null,
    },
  ]);
  if (feed.value.type === 'absent') return <Absent />;
  if (feed.value.type === 'live' && feed.value.snapshot.election.type === 'none') {
    return <NoElections store={feed.value.snapshot.store} windowMs={windowMs} />;
  }
  if (feed.value.type === 'connecting')
    return <PageHeading>Leases: who leads, since when, and until when.</PageHeading>;
  return (
    <>
      <LeaseSentence windowMs={windowMs} />
      <div class="leases" data-old={present.value === null ? '' : undefined}>
        <div class="leases-main">
          <LeaseBoard />
          <LeaseTimeline windowMs={windowMs} onAsk={askWhoLed} />
          {known !== null && <Resources known={known} />}
        </div>
        {known !== null && (
          <aside class="leases-rail" aria-label="Candidates and terms">
            {known.snapshot.demo === null ? (
              <WaitingList known={known} />
            ) : (
              <ProcessList {...{ known, isNarrow }} onAct={act} />
            )}
            {error !== '' && (
              <p class="bad" role="alert">
                {error}
              </p>
            )}
            <Operator known={known} onOpen={setOpen} />
            <Suggestion known={known} onAct={act} />
            <TermList known={known} onAll={() => setOpen({ type: 'terms' })} />
          </aside>
        )}
      </div>
      {known !== null && open !== null && (
        <OpenDialog open={open} known={known} onClose={() => setOpen(null)} />
      )}
    </>
  );
}

function Absent() {
  return (
    <>
      <PageHeading>Leases need the lab’s server.</PageHeading>
      <Notice
        kind="empty"
        text={
          <>
            This address serves the pages alone. Run <code>npx hustings lab</code> and open the address that
            it prints: it brings a demo of five processes, and with <code>--store</code> it shows your own
            store.
          </>
        }
      />
    </>
  );
}

function NoElections({ store, windowMs }: { readonly store: string; readonly windowMs: number }) {
  return (
    <>
      <LeaseSentence windowMs={windowMs} />
      <Notice
        kind="empty"
        text={
          <>
            There are no elections in {store} yet. This page shows the first one as soon as a candidate asks
            for a lease, for example <code>npx hustings lead tea -- date</code>.
          </>
        }
      />
    </>
  );
}

/** What an operator may do to the current term. */
function Operator({ known, onOpen }: { readonly known: LastKnown; readonly onOpen: (open: Open) => void }) {
  const { leader } = known.election;
  const isDisabled = present.value === null || leader.type !== 'led';
  return (
    <div class="lease-operator">
      <Button disabled={isDisabled} onClick={() => onOpen({ type: 'transfer' })}>
        Transfer to…
      </Button>
      <Button kind="danger" disabled={isDisabled} onClick={() => onOpen({ type: 'evict' })}>
        {leader.type === 'led' ? `Evict ${leader.holder}…` : 'Evict…'}
      </Button>
    </div>
  );
}

interface SuggestionProps {
  readonly known: LastKnown;
  readonly onAct: (id: string, action: DemoAction) => void;
}

function Suggestion({ known: { snapshot, election }, onAct }: SuggestionProps) {
  const { demo } = snapshot;
  if (demo === null || present.value === null) return null;
  const { text, id, action } = suggestionOf(demo, election.leader.type === 'led' ? election.leader : null);
  return (
    <section class="lease-suggestion" aria-label="Try it">
      <p class="narration">{text}</p>
      {id !== undefined && action !== undefined && (
        <Button kind="main" onClick={() => onAct(id, action)}>
          {`${capitalized(action)} ${id}`}
        </Button>
      )}
    </section>
  );
}

interface OpenDialogProps {
  readonly open: Open;
  readonly known: LastKnown;
  readonly onClose: () => void;
}

function OpenDialog({ open, known, onClose }: OpenDialogProps) {
  // As it was when the dialog was opened: its text must not change while it is read.
  const [{ election }] = useState(known);
  const { name, candidates } = election;
  const leader = election.leader.type === 'led' ? election.leader : null;
  if (open.type === 'at') return <WhoLedDialog election={name} atMs={open.atMs} onClose={onClose} />;
  if (open.type === 'terms') return <AllTermsDialog election={name} onClose={onClose} />;
  if (open.type === 'kill') return <KillDialog id={open.id} leader={leader} onClose={onClose} />;
  if (leader === null) return null;
  return open.type === 'evict' ? (
    <EvictDialog election={name} leader={leader} onClose={onClose} />
  ) : (
    <TransferDialog election={name} leader={leader} candidates={candidates} onClose={onClose} />
  );
}

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const update = (): void => setMatches(list.matches);
    list.addEventListener('change', update);
    return () => list.removeEventListener('change', update);
  }, [query]);
  return matches;
}

/** The length of the timeline, from the link. */
function useWindowMs(defaultSeconds: number): number {
  const { last } = extra.value;
  const isKnown = last === undefined || WINDOWS.includes(Number(last));
  useEffect(() => {
    if (isKnown) return;
    const text = `last must be one of ${WINDOWS.join(', ')}, not ${last}. The default ${defaultSeconds} is used.`;
    problems.value = [
      ...problems.peek().filter(({ parameter }) => parameter !== 'last'),
      { parameter: 'last', text },
    ];
  }, [last]);
  return (isKnown && last !== undefined ? Number(last) : defaultSeconds) * 1000;
}
