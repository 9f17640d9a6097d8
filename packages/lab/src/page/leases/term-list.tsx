import { durationText, endWords, shortTokens } from '../../model/leases/lease-text.ts';
import { Button } from '../shell/button.tsx';
import { TableHead } from '../shell/text-alternative.tsx';
import { type LastKnown, present } from './lease-feed.ts';

const SHOWN = 6;

const openText = (isLast: boolean): string =>
  !isLast ? '' : present.value === null ? 'led when last seen' : 'leads';

/** The newest terms with the reason why each ended, and whether the history keeps its promises. */
export function TermList({ known, onAll }: { readonly known: LastKnown; readonly onAll: () => void }) {
  const { election, snapshot } = known;
  const { terms, conflicts, leader } = election;
  const short = shortTokens(terms.map(({ token }) => token));
  const faults = snapshot.demo?.faults ?? [];
  return (
    <section class="lease-panel" aria-label="Terms">
      <div class="lease-caption">
        <h2>Terms</h2>
        {conflicts === 0 ? (
          <span class="good">no overlap, tokens rise ✓</span>
        ) : (
          <span class="bad">! {conflicts} conflicts in the history</span>
        )}
      </div>
      <table class="table lease-terms">
        <TableHead columns={['Token', 'Holder', 'End']} isRead />
        <tbody>
          {terms.slice(0, SHOWN).map((term) => (
            <tr key={term.token}>
              <td title={term.token}>
                <b>{short(term.token)}</b>
              </td>
              <td>{term.holder}</td>
              <td class="number">
                {term.endMs === null
                  ? openText(term.token === leader.token)
                  : `${endWords(term, faults)} · ${durationText(term.endMs - term.startMs)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {terms.length > SHOWN && (
        <Button kind="plain" onClick={onAll}>
          All terms…
        </Button>
      )}
    </section>
  );
}
