import { formatFigure } from '@hustings/base';
import { type CountedLaw, type Counter, countersOf, type LawState } from '../../model/run/counters.ts';
import type { RunStore } from './run-store.ts';

const SIGNS: Readonly<Record<LawState, string>> = { holds: '✓', fails: '✗', open: '·', inapplicable: '–' };
const STATE_TEXTS: Readonly<Record<LawState, string>> = {
  holds: 'holds',
  fails: 'is violated',
  open: 'not decided yet',
  inapplicable: 'does not apply to this run',
};

/** The counts at the cursor beside the laws that they must obey. */
export function CountersPanel({ store }: { readonly store: RunStore }) {
  store.settled.value;
  // Times and own measures are known at the end of the recorded run.
  const counters = countersOf(store.model).filter(({ count }) => count !== null);
  return (
    <section class="counters" aria-label="Counted beside the law">
      <header class="panel-head">
        <h2>Counted</h2>
        <span class="caption">beside the law</span>
      </header>
      <table>
        <tbody>
          {counters.map((counter) => (
            <CounterRow key={counter.name} counter={counter} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function CounterRow({ counter: { count, laws, name } }: { readonly counter: Counter }) {
  const main =
    laws.find(({ kind, state }) => kind !== 'mean' && state !== 'inapplicable') ??
    laws.find(({ kind }) => kind !== 'mean');
  const mean = laws.find(({ kind, value }) => kind === 'mean' && value !== null);
  const end = main?.value ?? mean?.value ?? null;
  return (
    <tr>
      <th scope="row">{name.replace(' messages', '')}</th>
      <td class="count">{count === null ? '–' : formatFigure(count)}</td>
      <td class="bullet">
        {count !== null && end !== null && <Bullet count={count} end={end} expected={mean?.value ?? null} />}
      </td>
      <td class="law" title={laws.map(lawText).join('\n')}>
        {main === undefined
          ? ''
          : `${main.formula.slice(0, 1)} ${main.value === null ? main.formula.slice(2) : formatFigure(main.value)}`}
        {mean?.value != null && (
          <span class="expected"> ≈ {formatFigure(Math.round(10 * mean.value) / 10)}</span>
        )}
      </td>
      <td class="verdict-sign" data-state={main?.state ?? 'open'}>
        {main === undefined ? '' : SIGNS[main.state]}
        {main !== undefined && <span class="only-read">{lawText(main)}</span>}
      </td>
    </tr>
  );
}

function lawText({ formula, state, value, when }: CountedLaw): string {
  const condition = when === null ? '' : ` (${when})`;
  return `${formula}${value === null ? '' : ` = ${formatFigure(value)}`}${condition}: ${STATE_TEXTS[state]}`;
}

/** A bar up to the count, a tick at the expected value, and an end at the bound. */
function Bullet({
  count,
  end,
  expected,
}: {
  readonly count: number;
  readonly end: number;
  readonly expected: number | null;
}) {
  const most = Math.max(end, count, expected ?? 0, 1);
  const x = (value: number): number => (100 * value) / most;
  return (
    <svg viewBox="0 0 104 12" width="104" height="12" aria-hidden="true">
      <rect class="bullet-ground" x="0" y="3" width={x(end)} height="6" />
      <rect class="bullet-bar" data-over={count > end} x="0" y="3" width={x(count)} height="6" />
      {expected !== null && <rect class="bullet-expected" x={x(expected)} y="0" width="2" height="12" />}
      <rect class="bullet-end" x={x(end)} y="0" width="2" height="12" />
    </svg>
  );
}
