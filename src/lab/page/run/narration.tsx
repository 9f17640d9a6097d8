import { useRef } from 'preact/hooks';
import { twins } from '../../../algorithms/index.ts';
import type { Law } from '../../../kernel/law.ts';
import { narrate } from '../../model/run/run-narration.ts';
import { linkTo, setup } from '../shell/router.ts';
import type { RunStore } from './run-store.ts';

/** What has just happened, since the cursor was shown last. */
export function useNarration(store: RunStore): string {
  const last = useRef({ version: -1, position: 0, text: '' });
  const version = store.version.value;
  const { model } = store;
  if (last.current.version !== version) {
    const { position } = last.current;
    // A step forward is told alone, an instant that played as a whole, and a jump by its last step.
    const isInstant = store.isPlaying.peek() && model.position > position;
    const text = narrate(model, isInstant ? position : model.position - 1);
    last.current = { version, position: model.position, text };
  }
  return last.current.text;
}

export interface NarrationProps {
  readonly store: RunStore;
  readonly text: string;
  /** Without the ways on. */
  readonly isPlain?: boolean;
}

/** The narration as text, spoken once the run stands still; at the end of an election the ways on. */
export function Narration({ store, text, isPlain = false }: NarrationProps) {
  const { model } = store;
  const isEnd = model.position > 0 && model.position === model.length && model.branch.parent === null;
  return (
    <div class="run-narration">
      <p class="narration" id="narration" aria-live={store.isPlaying.value ? 'off' : 'polite'}>
        {text.replace(/ ([<>=]) /g, '\u00a0$1\u00a0')}
      </p>
      {store.refusal.value !== null && (
        <p class="refusal" role="alert">
          {store.refusal.value}
        </p>
      )}
      {isEnd && !isPlain && <WaysOn store={store} />}
    </div>
  );
}

function WaysOn({ store: { model } }: { readonly store: RunStore }) {
  const of = setup.value;
  const { algorithm, plan } = model;
  const worst = algorithm.laws.find(({ kind, measure }: Law) => kind === 'bound' && measure === 'election');
  const value = worst?.value(model.facts);
  const twin = twins.find((each) => each.of === algorithm.name);
  const isRing = algorithm.name === 'chang-roberts' && plan.nodes > 2 && of.order !== 'descending';
  const { ids: _, ...withoutIds } = of;
  const descending = { ...withoutIds, nodes: plan.nodes, order: 'descending' as const };
  return (
    <p class="ways-on">
      {isRing && value !== undefined && <a href={linkTo({ setup: descending })}>Make it cost {value}</a>}
      {twin !== undefined && (
        <a href={linkTo({ page: 'check', setup: { algorithm: twin.algorithm.name, nodes: 3 } })}>Break it</a>
      )}
      {twin === undefined && <a href={linkTo({ page: 'check' })}>Check every schedule</a>}
      <a href={linkTo({ page: 'write' })}>Write your own</a>
    </p>
  );
}
