import { spanText } from '../../model/leases/lease-text.ts';
import { PageHeading } from '../shell/page-heading.tsx';
import { navigate } from '../shell/router.ts';
import { feed, lastKnown } from './lease-feed.ts';

/** The windows of the timeline, in seconds. */
export const WINDOWS = [30, 60, 300, 3600];

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five'];

/** What is watched, as the title of the page; its underlined parts are controls. */
export function LeaseSentence({ windowMs }: { readonly windowMs: number }) {
  const { value } = feed;
  const snapshot = value.type === 'live' ? value.snapshot : (lastKnown.value?.snapshot ?? null);
  if (snapshot === null) return <PageHeading>Leases: who leads, since when, and until when.</PageHeading>;
  const { demo, elections, store } = snapshot;
  const election = lastKnown.value?.election;
  const name = election?.name ?? '';
  const ttlMs = election?.leader.type === 'led' ? election.leader.ttlMs : null;
  return (
    <PageHeading>
      {name === '' ? (
        'Elections'
      ) : (
        <>
          Election{' '}
          {elections.length > 1 ? (
            <select
              class="clause-field"
              aria-label="Election"
              value={name}
              onChange={(event) => navigate({ extra: { election: event.currentTarget.value } })}
            >
              {elections.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          ) : (
            <strong>{name}</strong>
          )}
        </>
      )}{' '}
      on {demo === null ? <strong>{store}</strong> : 'the demo’s SQLite store'}
      {demo !== null && `, ${NUMBERS[demo.processes.length] ?? demo.processes.length} processes`}
      {ttlMs !== null && `, lease of ${spanText(ttlMs)}`}. Last{' '}
      <select
        class="clause-field"
        aria-label="Length of the timeline"
        value={String(windowMs / 1000)}
        onChange={(event) => navigate({ extra: { last: event.currentTarget.value } })}
      >
        {WINDOWS.map((seconds) => (
          <option key={seconds} value={String(seconds)}>
            {spanText(seconds * 1000)}
          </option>
        ))}
      </select>
      .
    </PageHeading>
  );
}
