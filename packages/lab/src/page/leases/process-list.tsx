import { ACTIONS, type DemoAction, type DemoProcess } from '../../model/leases/demo-snapshot.ts';
import { durationText, unregistered } from '../../model/leases/lease-text.ts';
import { Button } from '../shell/button.tsx';
import { type LastKnown, present } from './lease-feed.ts';
import { useTicks } from './store-clock.ts';

export interface ProcessListProps {
  readonly known: LastKnown;
  readonly isNarrow: boolean;
  readonly onAct: (id: string, action: DemoAction) => void;
}

const TITLES: Readonly<Record<DemoAction, string>> = {
  pause: 'Pause',
  resume: 'Resume',
  block: 'Block',
  unblock: 'Unblock',
  kill: 'Kill',
  restart: 'Restart',
};

/** The processes of the demo, with the faults that can be injected. */
export function ProcessList({ known, isNarrow, onAct }: ProcessListProps) {
  const { demo } = known.snapshot;
  return (
    <section class="lease-panel" aria-label="Processes">
      <div class="lease-caption">
        <h2>Processes</h2>
        <span class="caption">inject faults</span>
      </div>
      <ul class="process-list">
        {demo?.processes.map((process) => (
          <Process key={process.id} {...{ process, known, isNarrow, onAct }} />
        ))}
      </ul>
    </section>
  );
}

function Process({ process, known, isNarrow, onAct }: ProcessListProps & { readonly process: DemoProcess }) {
  useTicks();
  const { id, condition } = process;
  const buttons = ACTIONS[condition].map((action) => (
    <Button
      key={action}
      {...(action === 'kill' ? { kind: 'danger' as const } : {})}
      aria-label={`${TITLES[action]} ${id}`}
      disabled={present.value === null}
      onClick={() => onAct(id, action)}
    >
      {TITLES[action]}
    </Button>
  ));
  return (
    <li data-condition={condition}>
      <b>{id}</b>
      <div class="process-state">
        <span>{stateText(process, known)}</span>
        <span class="caption">{detailText(process, known)}</span>
      </div>
      {isNarrow && buttons.length > 1 ? (
        <details class="process-menu">
          <summary class="button" aria-label={`Break ${id}`}>
            Break ▾
          </summary>
          <div>{buttons}</div>
        </details>
      ) : (
        <div class="process-buttons">{buttons}</div>
      )}
    </li>
  );
}

function stateText({ id, condition }: DemoProcess, { election, snapshot: { demo } }: LastKnown): string {
  const { leader } = election;
  const leads = leader.type === 'led' && leader.holder === id;
  if (leads && present.value === null) return 'led when last seen';
  if (leads) return condition === 'running' ? '★ leads' : `★ leads, ${condition}`;
  if (condition !== 'running') return condition;
  return demo !== null && unregistered(election, demo).includes(id) ? 'not registered yet' : 'waiting';
}

/** The last thing that happened to the process. */
function detailText(
  { id, condition, token, renewedMs, problem }: DemoProcess,
  { election: { leader }, snapshot: { demo } }: LastKnown,
): string {
  const ago = (ms: number): string => `${durationText(Math.max(0, Date.now() - ms))} ago`;
  const fault = demo?.faults.find((each) => each.id === id);
  const leads = leader.type === 'led' && leader.holder === id;
  if (problem !== null) return problem;
  if (condition === 'paused' && token !== null) return 'stopped before a write';
  if (condition === 'running' && leads && renewedMs !== null) return `renewed ${ago(renewedMs)}`;
  if (leader.type === 'vacant' && leader.successor === id) return 'next: the lease is reserved for it';
  return fault === undefined ? '' : `${fault.type} ${ago(fault.atMs)}`;
}

/** The candidates of a user's store, as they have registered. */
export function WaitingList({ known }: { readonly known: LastKnown }) {
  const { candidates, leader } = known.election;
  return (
    <section class="lease-panel" aria-label="Waiting">
      <div class="lease-caption">
        <h2>Waiting</h2>
        <span class="caption">
          {candidates.length === 0 ? 'none registered' : `${candidates.length} registered`}
        </span>
      </div>
      <ul class="process-list">
        {candidates.map(({ id, priority }) => (
          <li key={id}>
            <b>{id}</b>
            <div class="process-state">
              {leader.type === 'vacant' && leader.successor === id
                ? 'the lease is reserved for it'
                : 'waiting'}
              {priority !== 0 && <span class="caption">priority {priority}</span>}
            </div>
          </li>
        ))}
      </ul>
      <p class="caption">
        A store does not see fences: what they refuse is counted at the resource, by its onRejected.
      </p>
    </section>
  );
}
