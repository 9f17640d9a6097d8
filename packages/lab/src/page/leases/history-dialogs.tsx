import { useEffect, useState } from 'preact/hooks';
import type { ElectionTerm, LedAt } from '../../model/leases/lease-snapshot.ts';
import { durationText, explainCause } from '../../model/leases/lease-text.ts';
import { Button } from '../shell/button.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { TableHead } from '../shell/text-alternative.tsx';
import { ask } from './lease-feed.ts';
import { clockText } from './store-clock.ts';

/** `datetime-local` has no time zone: its text is local time. */
function inputText(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The answer to a question, which is asked again for each of the `tries`, and the message of its error, or ''. */
function useAnswer<Answer>(path: string, query: Readonly<Record<string, string>>, tries = 0) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [error, setError] = useState('');
  useEffect(() => {
    let isOld = false;
    setError('');
    ask<Answer>(path, query).then(
      (latest) => !isOld && setAnswer(latest),
      (problem: Error) => !isOld && setError(problem.message),
    );
    return () => {
      isOld = true;
    };
  }, [path, JSON.stringify(query), tries]);
  return [answer, error] as const;
}

interface WhoLedProps {
  readonly election: string;
  /** The time to begin with, on the store's clock. */
  readonly atMs: number;
  readonly onClose: () => void;
}

/** Who led at an instant. */
export function WhoLedDialog({ election, atMs, onClose }: WhoLedProps) {
  const [chosenMs, choose] = useState(atMs);
  const [found, error] = useAnswer<LedAt>('at', { election, at: String(chosenMs) });
  return (
    <Dialog title="Who led at…" onClose={onClose}>
      <div class="lease-dialog">
        <label>
          Time on the store’s clock{' '}
          <input
            class="field"
            type="datetime-local"
            step="1"
            value={inputText(chosenMs)}
            onChange={(event) => {
              const ms = Date.parse(event.currentTarget.value);
              if (!Number.isNaN(ms)) choose(ms);
            }}
          />
        </label>
        <div role="status">
          {error !== '' ? <p class="bad">{error}</p> : found !== null && <Answer found={found} />}
        </div>
      </div>
    </Dialog>
  );
}

function Answer({ found: { atMs, term, before, after } }: { readonly found: LedAt }) {
  return (
    <>
      <p class="narration">
        {term === null ? `Nobody led at ${clockText(atMs)}.` : `${term.holder} led at ${clockText(atMs)}.`}
      </p>
      {term !== null && <p>{termText(term)}</p>}
      {before !== null && <p class="caption">Before: {termText(before)}</p>}
      {after !== null && <p class="caption">Then: {termText(after)}</p>}
    </>
  );
}

function termText({ holder, token, startMs, endMs, cause }: ElectionTerm): string {
  const begin = `${holder}, token ${token}, from ${clockText(startMs)}`;
  if (endMs === null) return `${begin}, still leads.`;
  const why = cause === null ? '' : `: ${explainCause(cause)}`;
  return `${begin} until ${clockText(endMs)}${why}.`;
}

/** The whole history of the election. */
export function AllTermsDialog({
  election,
  onClose,
}: {
  readonly election: string;
  readonly onClose: () => void;
}) {
  const [tries, setTries] = useState(0);
  const [terms, error] = useAnswer<readonly ElectionTerm[]>('terms', { election }, tries);
  return (
    <Dialog title={`Terms of ${election}`} onClose={onClose} class="lease-wide">
      {error !== '' && (
        <p class="bad" role="alert">
          {error} <Button onClick={() => setTries(tries + 1)}>Try again</Button>
        </p>
      )}
      {terms !== null && (
        <div class="table-scroll">
          <table class="table">
            <TableHead columns={['Token', 'Holder', 'Start', 'End', 'Lasted', 'Why it ended']} />
            <tbody>
              {terms.map(({ token, holder, startMs, endMs, cause }) => (
                <tr key={token}>
                  <td>{token}</td>
                  <td>{holder}</td>
                  <td>{clockText(startMs)}</td>
                  <td>{endMs === null ? 'leads' : clockText(endMs)}</td>
                  <td>{endMs === null ? '' : durationText(endMs - startMs)}</td>
                  <td>{cause === null ? '' : `${cause}: ${explainCause(cause)}`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Dialog>
  );
}
