import { useLayoutEffect, useRef } from 'preact/hooks';
import { narrateStep } from '../../../kernel/world/narration.ts';
import type { RunStore } from '../run/run-store.ts';

/** The steps of a run in words. The step before the cursor is marked; a click moves the cursor behind a step. */
export function StepList({ store }: { readonly store: RunStore }) {
  const { model } = store;
  store.version.value;
  const list = useRef<HTMLOListElement>(null);
  const { position } = model;
  // The list scrolls, not the page.
  useLayoutEffect(() => {
    const item = list.current?.children[position - 1];
    if (list.current === null || !(item instanceof HTMLElement)) return;
    const top = item.offsetTop - list.current.offsetTop;
    const least = top + item.offsetHeight - list.current.clientHeight;
    list.current.scrollTop = Math.max(least, Math.min(top, list.current.scrollTop));
  }, [store, position]);
  return (
    <ol class="found-steps" ref={list}>
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
