import { twins } from '@hustings/study/algorithms';
import type { Law } from '@hustings/study/kernel';
import { useRef } from 'preact/hooks';
import { twinState } from '../../model/check/twin-search.ts';
import { recordedFacts } from '../../model/run/counters.ts';
import type { RanRule } from '../../model/run/rule-log.ts';
import { narrate } from '../../model/run/run-narration.ts';
import { encodeLink } from '../../model/setup/url-state.ts';
import { linkTo, setup } from '../shell/router.ts';
import type { RunStore } from './run-store.ts';

/** What has just happened, since the cursor was shown last. */
export function useNarration(store: RunStore): NarratedSteps {
  const last = useRef({ version: -1, position: 0, text: '', rules: [] as readonly RanRule[] });
  const version = store.version.value;
  const { model } = store;
  if (last.current.version !== version) {
    const { position } = last.current;
    // A step forward is told alone, an instant that played as a whole, and a jump by its last step.
    const isInstant = store.isPlaying.peek() && model.position > position;
    const from = Math.max(0, isInstant ? position : model.position - 1);
    const text = narrate(model, from);
    const rules = [...new Set(model.steps.slice(from, model.position).flatMap((step) => step.rules))];
    last.current = { version, position: model.position, text, rules };
  }
  return last.current;
}

/** What has just happened, and the rules of the source that were run. */
export interface NarratedSteps {
  readonly text: string;
  readonly rules: readonly RanRule[];
}

export interface NarrationProps {
  readonly store: RunStore;
  readonly narrated: NarratedSteps;
  /** Without rules and ways on, for a lesson. */
  readonly isPlain?: boolean;
}

/** The narration as text, spoken once the run stands still; at the end of an election the ways on. */
export function Narration({ store, narrated: { rules, text }, isPlain = false }: NarrationProps) {
  const { model } = store;
  const isEnd = model.position > 0 && model.position === model.length && model.branch.parent === null;
  return (
    <div class="run-narration">
      <p class="narration" id="narration" aria-live={store.isPlaying.value ? 'off' : 'polite'}>
        {text.replace(/ ([<>=]) /g, '\u00a0$1\u00a0')}
      </p>
      {!isPlain && rules.length > 0 && rules.length <= MAX_RULES && (
        <p class="rule-tags">
          {rules.map((rule) => (
            <code key={`${rule.file}:${rule.line}`} title={`${rule.file}.ts, line ${rule.line}`}>
              {ruleText(rule, store.model.algorithm.name)}
            </code>
          ))}
        </p>
      )}
      {store.refusal.value !== null && (
        <p class="refusal" role="alert">
          {store.refusal.value}
        </p>
      )}
      {isEnd && !isPlain && <WaysOn store={store} />}
    </div>
  );
}

/** More rules than this say little about what happened. */
const MAX_RULES = 4;

/** 'R3 · line 65'. */
function ruleText({ file, line, tag }: RanRule, algorithm: string): string {
  return `${tag} · ${file === algorithm ? '' : `${file}.ts, `}line ${line}`;
}

function WaysOn({ store: { model } }: { readonly store: RunStore }) {
  const of = setup.value;
  const { algorithm, plan } = model;
  const worst = algorithm.laws.find(({ kind, measure }: Law) => kind === 'bound' && measure === 'election');
  const value = worst?.value(recordedFacts(model));
  const twin = twins.find((each) => each.of === algorithm.name);
  const isRing = algorithm.name === 'chang-roberts' && plan.nodes > 2 && of.order !== 'descending';
  const { ids: _, ...withoutIds } = of;
  const descending = { ...withoutIds, nodes: plan.nodes, order: 'descending' as const };
  return (
    <p class="ways-on">
      {isRing && value !== undefined && <a href={linkTo({ setup: descending })}>Make it cost {value}</a>}
      {twin !== undefined && <a href={encodeLink(twinState(twin, of, plan.nodes))}>Break it</a>}
      {twin === undefined && <a href={linkTo({ page: 'check' })}>Check every schedule</a>}
      <a href={linkTo({ page: 'write' })}>Write your own</a>
    </p>
  );
}
