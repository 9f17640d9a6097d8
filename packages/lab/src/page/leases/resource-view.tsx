import type { ComponentChildren } from 'preact';
import type { DemoResource, ResourceWrite } from '../../model/leases/demo-snapshot.ts';
import { durationText, lateByMs, shortTokens } from '../../model/leases/lease-text.ts';
import { TableHead } from '../shell/text-alternative.tsx';
import type { LastKnown } from './lease-feed.ts';

/** The resource with a fence and the one without, side by side. */
export function Resources({ known }: { readonly known: LastKnown }) {
  const { demo } = known.snapshot;
  if (demo === null) return null;
  const { ledger, file } = demo;
  return (
    <div class="resources">
      <Resource
        title="Ledger with a fence"
        known={known}
        resource={ledger}
        state={
          ledger.late === 0 ? <span class="good">✓ in order</span> : <span class="bad">! out of order</span>
        }
        story={refusalStory(ledger.notable[0], shortOf(known))}
      />
      <Resource
        title="File without a fence"
        known={known}
        resource={file}
        state={
          file.late === 0 ? (
            <span class="good">✓ in order</span>
          ) : (
            <span class="bad">! {file.late === 1 ? '1 late write' : `${file.late} late writes`}</span>
          )
        }
        story={
          file.notable.length === 0
            ? 'The same entries, appended without a check.'
            : 'The same write went through. Nothing in the file tells that it was late.'
        }
      />
    </div>
  );
}

const shortOf = ({ election, snapshot: { demo } }: LastKnown): ((token: string) => string) =>
  shortTokens([
    ...election.terms.map(({ token }) => token),
    ...(demo?.ledger.notable ?? []).map(({ token }) => token),
  ]);

function refusalStory(write: ResourceWrite | undefined, short: (token: string) => string): string {
  if (write === undefined)
    return 'Each entry carries the token of its writer. An older token than the newest is refused.';
  const { id, token, newest } = write;
  return `${id} woke up after its pause and wrote with token ${short(token)}. The ledger had seen ${short(newest)}.`;
}

interface ResourceProps {
  readonly title: string;
  readonly known: LastKnown;
  readonly resource: DemoResource;
  readonly state: ComponentChildren;
  readonly story: string;
}

function Resource({ title, known, resource, state, story }: ResourceProps) {
  const short = shortOf(known);
  const { latest, notable } = resource;
  // The newest notable write stays in view when newer ones have pushed it out.
  const isOut = notable.length > 0 && !latest.some(({ index }) => index === notable[0].index);
  const rows = isOut ? [...latest.slice(0, -1), notable[0]] : latest;
  return (
    <section class="resource" aria-label={title}>
      <div class="lease-caption">
        <h2>{title}</h2>
        {state}
      </div>
      <p class="narration">{story}</p>
      <table class="table">
        <TableHead columns={['Token', 'Entry', 'Result']} isRead />
        <tbody>
          {rows.map((write) => (
            <tr
              key={write.index}
              data-outcome={write.outcome}
              data-out={isOut && write === notable[0] ? '' : undefined}
            >
              <td title={write.token}>{short(write.token)}</td>
              <td>
                {write.id} #{write.entry}
              </td>
              <td>{outcomeText(write, known, short)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function outcomeText(
  write: ResourceWrite,
  { election }: LastKnown,
  short: (token: string) => string,
): ComponentChildren {
  if (write.outcome === 'written') return 'written';
  if (write.outcome === 'refused') {
    return (
      <>
        ⊣ <b>refused</b>: {short(write.newest)} is newer
      </>
    );
  }
  const lateMs = lateByMs(write, election.terms);
  return (
    <>
      <b>! written</b> {lateMs === null ? 'late' : `${durationText(lateMs)} too late`}
    </>
  );
}
