import { narrateStep } from '@hustings/study/driver';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RunStore } from '../run/run-store.ts';

/** In a longer run only the steps around the cursor are listed. */
const MAX_LISTED_STEPS = 400;

/** The steps of a run in words. The step before the cursor is marked; a click moves the cursor behind a step. */
export function StepList({ store }: { readonly store: RunStore }) {
  const { model } = store;
  store.version.value;
  const list = useRef<HTMLOListElement>(null);
  const { length, position } = model;
  const first = Math.max(0, Math.min(length - MAX_LISTED_STEPS, position - MAX_LISTED_STEPS / 2));
  // The list scrolls, not the page.
  useLayoutEffect(() => {
    const item = list.current?.children[position - 1 - first];
    if (list.current === null || !(item instanceof HTMLElement)) return;
    const top = item.offsetTop - list.current.offsetTop;
    const least = top + item.offsetHeight - list.current.clientHeight;
    list.current.scrollTop = Math.max(least, Math.min(top, list.current.scrollTop));
  }, [store, position]);
  return (
    <ol class="found-steps" start={first + 1} ref={list}>
      {model.steps.slice(first, first + MAX_LISTED_STEPS).map(({ events, step, violation }, k) => {
        const at = first + k + 1;
        return (
          <li key={at} data-now={position === at}>
            <button type="button" onClick={() => store.seek(at)}>
              <span class="number">{at}</span>
              <span>{narrateStep(step, events, model.ids)}</span>
              {violation !== null && <strong class="violation">{violation.text}</strong>}
            </button>
          </li>
        );
      })}
    </ol>
  );
}
