import { durationText, shortTokens, takeoverText, waitingText } from '../../model/leases/lease-text.ts';
import { feed, type LastKnown, lastKnown, present } from './lease-feed.ts';
import { clockText, leftMs, storeNowMs, useTicks } from './store-clock.ts';

/** Who leads, since when and until when. Says that it is unknown rather than what was. */
export function LeaseBoard() {
  const known = present.value;
  return (
    <section class="lease-board" aria-label="Who leads">
      {known === null ? <Unknown /> : <Known known={known} />}
    </section>
  );
}

function Unknown() {
  const { value } = feed;
  const seen =
    lastKnown.value === null
      ? ''
      : `Last seen ${lastKnown.value.seen.toLocaleTimeString([], { hour12: false })}. `;
  const isDown = value.type === 'live' && value.snapshot.election.type === 'unknown';
  const reason = isDown && value.snapshot.election.type === 'unknown' ? value.snapshot.election.reason : '';
  return (
    <div role="status">
      <h2 class="verdict">The leader is unknown</h2>
      <p class="narration">
        {seen}
        {isDown && 'The store cannot be read, so the leader is unknown.'}
        {value.type === 'lost' && 'The lab’s server does not answer. Reconnecting…'}
        {value.type === 'paused' && 'This tab was hidden. Reading the store again…'}
      </p>
      {reason !== '' && <p class="lease-reason">{reason}</p>}
    </div>
  );
}

function Known({ known }: { readonly known: LastKnown }) {
  const { election, snapshot } = known;
  const { leader, terms } = election;
  const isLed = leader.type === 'led';
  const short = shortTokens(terms.map(({ token }) => token));
  return (
    <>
      <div>
        <div role="status">
          <h2 class="verdict">
            {isLed && <span class="leader-star">★</span>}
            {isLed ? `${leader.holder} leads` : 'Nobody leads'}
          </h2>
        </div>
        <p>
          {isLed ? (
            <>
              Token <b title={leader.token}>{short(leader.token)}</b>
              {leader.sinceMs !== null && <Since known={known} sinceMs={leader.sinceMs} />}.{' '}
              {leader.evicted && 'Evicted: it may not renew its lease. '}
              {takeoverText(election, snapshot.demo?.faults ?? [])}{' '}
            </>
          ) : (
            `${vacancyText(known)} `
          )}
          {waitingText(election, snapshot.demo)}
        </p>
      </div>
      {isLed && <Countdown known={known} />}
    </>
  );
}

function vacancyText({ election: { leader, terms } }: LastKnown): string {
  if (leader.type !== 'vacant') return '';
  if (leader.successor !== null) return `The lease is reserved for ${leader.successor}.`;
  const [last] = terms;
  if (last?.endMs == null) return 'There has been no leader.';
  return `${last.holder} led until ${clockText(last.endMs)}.`;
}

function Since({ known, sinceMs }: { readonly known: LastKnown; readonly sinceMs: number }) {
  useTicks();
  return (
    <>
      , since {clockText(sinceMs)}, for {durationText(Math.max(0, storeNowMs(known) - sinceMs))}
    </>
  );
}

function Countdown({ known }: { readonly known: LastKnown }) {
  useTicks();
  const left = leftMs(known);
  return (
    <div class="lease-left">
      <span class="lease-left-number">{left === null ? '–' : durationText(left)}</span>
      <span class="caption">{left === null ? 'the store has no clock' : 'left by the store’s clock'}</span>
    </div>
  );
}
