import { useState } from 'preact/hooks';
import type { LedElection, WaitingView } from '../../model/leases/lease-snapshot.ts';
import { evictEffect, killEffect, transferEffect } from '../../model/leases/lease-text.ts';
import { Confirmation } from './confirmation.tsx';
import { change } from './lease-feed.ts';

interface OperatorProps {
  readonly election: string;
  readonly leader: LedElection;
  readonly onClose: () => void;
}

/** The effect is that of the moment at which the dialog was opened; the server refuses it for another term. */
export function EvictDialog({ election, leader, onClose }: OperatorProps) {
  return (
    <Confirmation
      title={`Evict ${leader.holder}?`}
      verb={`Evict ${leader.holder}`}
      onConfirm={() => change('evict', { election, token: leader.token })}
      onClose={onClose}
    >
      <p>{evictEffect(leader)}</p>
    </Confirmation>
  );
}

export function TransferDialog({
  election,
  leader,
  candidates,
  onClose,
}: OperatorProps & { readonly candidates: readonly WaitingView[] }) {
  const [to, setTo] = useState(candidates[0]?.id ?? '');
  return (
    <Confirmation
      title="Transfer the lease"
      verb={to === '' ? 'Transfer' : `Transfer to ${to}`}
      isDisabled={to === ''}
      onConfirm={() => change('transfer', { election, token: leader.token, to })}
      onClose={onClose}
    >
      {candidates.length === 0 ? (
        <p>No candidate waits, so there is nobody to hand over to.</p>
      ) : (
        <>
          <label>
            To{' '}
            <select class="field" value={to} onChange={(event) => setTo(event.currentTarget.value)}>
              {candidates.map(({ id }) => (
                <option key={id} value={id}>
                  {id}
                </option>
              ))}
            </select>
          </label>
          <p>{transferEffect(leader, to)}</p>
        </>
      )}
    </Confirmation>
  );
}

export function KillDialog({
  id,
  leader,
  onClose,
}: {
  readonly id: string;
  readonly leader: LedElection | null;
  readonly onClose: () => void;
}) {
  return (
    <Confirmation
      title={`Kill ${id}?`}
      verb={`Kill ${id}`}
      onConfirm={() => change('fault', { id, action: 'kill' })}
      onClose={onClose}
    >
      <p>{killEffect(id, leader)}</p>
    </Confirmation>
  );
}
