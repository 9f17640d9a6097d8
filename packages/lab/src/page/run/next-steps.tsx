import { useSignal } from '@preact/signals';
import { Segmented } from '../shell/segmented.tsx';
import { ReachabilityHint } from './reachability-hint.tsx';
import { MAX_LISTED, type RunStore } from './run-store.ts';

/** What can happen next: the reader takes a step by its number, or lets the schedule choose. */
export function NextSteps({ store }: { readonly store: RunStore }) {
  const { mode } = store;
  const enabled = store.enabled.value;
  const count = enabled.length;
  return (
    <section class="next-steps" aria-label="What can happen next">
      <header class="panel-head">
        <h2>What can happen next</h2>
        <span class="caption">
          {count} {count === 1 ? 'step' : 'steps'}
        </span>
      </header>
      <Segmented
        label="After a choice"
        options={[
          { value: 'schedule', text: 'Follow the schedule' },
          { value: 'you', text: 'You choose' },
        ]}
        value={mode.value}
        onChange={(value) => {
          mode.value = value;
        }}
      />
      {count === 0 && <p class="caption">Nothing: the run is over. Go back, or cause a fault.</p>}
      <ol class="step-list">
        {enabled.slice(0, MAX_LISTED).map(({ effect, isScheduled, kind, step, text }, k) => (
          <li key={k}>
            <button
              type="button"
              class="step-choice"
              data-kind={kind}
              aria-keyshortcuts={String(k + 1)}
              onClick={() => store.change((model) => model.take(step))}
            >
              <kbd>{k + 1}</kbd>
              <span class="step-text">
                {text}
                {effect !== '' && <span class="step-effect">{effect}</span>}
              </span>
              {isScheduled && (
                <span class="caption" title="The schedule would take this step">
                  {mode.value === 'you' && '★ '}schedule
                </span>
              )}
            </button>
          </li>
        ))}
      </ol>
      {count > MAX_LISTED && <MoreSteps store={store} />}
      {mode.value === 'you' && <ReachabilityHint store={store} />}
      {count > 1 && <p class="caption">A step that the schedule would not take starts a branch.</p>}
    </section>
  );
}

function MoreSteps({ store }: { readonly store: RunStore }) {
  const isOpen = useSignal(false);
  const all = store.enabled.value;
  // There may be hundreds: they are listed while the list is open.
  const others = isOpen.value ? all.slice(MAX_LISTED) : [];
  return (
    <details
      class="more-steps"
      onToggle={({ currentTarget }) => {
        isOpen.value = (currentTarget as HTMLDetailsElement).open;
      }}
    >
      <summary>and {all.length - MAX_LISTED} more</summary>
      <ol class="step-list">
        {others.map(({ step, text, effect }, k) => (
          <li key={k}>
            <button
              type="button"
              class="step-choice"
              onClick={() => store.change((model) => model.take(step))}
            >
              <span class="step-text">
                {text}
                {effect !== '' && <span class="step-effect">{effect}</span>}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}
