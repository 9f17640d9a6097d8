import { narrateStep } from '../../../kernel/world/narration.ts';
import type { RunStore } from '../run/run-store.ts';

/** The steps of a run in words. The step before the cursor is marked; a click moves the cursor behind a step. */
export function StepList({ store }: { readonly store: RunStore }) {
  const { model } = store;
  store.version.value;
  return (
    <ol class="found-steps">
      {model.steps.map(({ events, step, violation }, k) => (
        <li key={k} data-now={model.position === k + 1}>
          <button type="button" onClick={() => store.seek(k + 1)}>
            <span class="number">{k + 1}</span>
            <span>{narrateStep(step, events, model.ids)}</span>
            {violation !== null && <strong class="violation">{violation.text}</strong>}
          </button>
        </li>
      ))}
    </ol>
  );
}
