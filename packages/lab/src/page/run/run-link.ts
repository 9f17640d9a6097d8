/** The cursor and the branches of a run in the link: the parameters `t` and `br`. */
import { effect } from '@preact/signals';
import { placeOf, type RunPlace } from '../../model/run/branch-link.ts';
import { extra, navigate } from '../shell/router.ts';
import type { RunStore } from './run-store.ts';

/** The place that the link names. */
export function linkedPlace(): RunPlace {
  const { br, t } = extra.peek();
  return { br, t };
}

/**
 * Keeps the link and the cursor equal. At the place `initial` the link has neither parameter. `again` is called when the link was
 * changed from outside, as by the back button. Returns a function that ends it.
 */
export function keepInLink(store: RunStore, initial: RunPlace, again: () => void): () => void {
  const { model } = store;
  let written = linkedPlace();
  const stopWriting = effect(() => {
    store.version.value;
    // Only the places where the reader stops are worth a link.
    if (store.isPlaying.value) return;
    written = linkOf(placeOf(model), initial);
    navigate({ extra: { ...written } }, { replace: true });
  });
  const stopReading = effect(() => {
    const { br, t } = extra.value;
    if (br !== written.br || t !== written.t) again();
  });
  return () => {
    stopWriting();
    stopReading();
  };
}

function linkOf({ br, t }: RunPlace, initial: RunPlace): RunPlace {
  if (br === initial.br && t === initial.t) return { br: undefined, t: undefined };
  // Without parameters the run would begin elsewhere.
  return { br, t: t ?? (initial.t === undefined ? undefined : '0') };
}
