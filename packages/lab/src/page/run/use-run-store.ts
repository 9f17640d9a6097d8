/** The run of the setup in the URL: recorded in parts, restored from its link, and written back to it. */

import { resolvePlan } from '@hustings/study/internal/simulator/plan/resolve-plan';
import { HustingsError } from '@hustings/study/kernel';
import { useLayoutEffect, useState } from 'preact/hooks';
import { restorePlace } from '../../model/run/branch-link.ts';
import { MAX_RECORDED_NODES, RunRecorder } from '../../model/run/recorded-run.ts';
import { RunModel } from '../../model/run/run-model.ts';
import { incompatibilityOf, type SetupIncompatibility } from '../../model/setup/incompatibility.ts';
import { algorithmOf, type LabSetup, optionsOf } from '../../model/setup/lab-setup.ts';
import { reducedMotion } from '../shell/reduced-motion.ts';
import { extra, problems, setup } from '../shell/router.ts';
import { keepInLink, linkedPlace } from './run-link.ts';
import { RunStore } from './run-store.ts';

/** What the page shows of its run. */
export type ShownRun =
  | { readonly type: 'recording'; readonly steps: number; readonly cancel: () => void }
  | { readonly type: 'cancelled'; readonly steps: number; readonly again: () => void }
  | { readonly type: 'incompatibility'; readonly incompatibility: SetupIncompatibility }
  | { readonly type: 'refused'; readonly text: string }
  /** Too large to be drawn. */
  | { readonly type: 'large'; readonly setup: LabSetup }
  | { readonly type: 'run'; readonly store: RunStore };

/** A part of a recording ends after this time, so that the page stays responsive. */
const PART_MS = 30;
/** The first run of a visit plays by itself after this time, unless the reader has done something. */
const AUTOPLAY_MS = 800;
let isFirstRun = true;

/** The run of the setup in the URL. */
export function useRunStore(): ShownRun {
  const [shown, show] = useState<ShownRun>({ type: 'recording', steps: 0, cancel: () => {} });
  const of = setup.value;
  // Another link with the same setup, as after the back button, is another run too.
  const [visit, setVisit] = useState(0);
  // Not after the frame: a run that plays on meanwhile would write its place into the link of the next.
  useLayoutEffect(() => {
    let isOver = false;
    let end = (): void => {};
    const plays =
      isFirstRun && extra.peek().t === undefined && extra.peek().br === undefined && !reducedMotion();
    isFirstRun = false;
    const again = (): void => setVisit((count) => count + 1);
    const stop = record(of, again, (result) => {
      if (isOver) return;
      show(result);
      if (result.type !== 'run') return;
      const disconnect = connect(result.store, again);
      const cancel = plays ? playSoon(result.store) : () => {};
      end = () => {
        cancel();
        disconnect();
      };
    });
    return () => {
      isOver = true;
      stop();
      end();
    };
  }, [of, visit]);
  return shown;
}

/** Records a run in parts; a short one is there at once. */
function record(of: LabSetup, again: () => void, done: (shown: ShownRun) => void): () => void {
  let timer = 0;
  try {
    const incompatibility = incompatibilityOf(of);
    if (incompatibility !== null) {
      done({ type: 'incompatibility', incompatibility });
      return () => {};
    }
    const [algorithm, options] = [algorithmOf(of), optionsOf(of)];
    if (resolvePlan(algorithm, options).topology.n > MAX_RECORDED_NODES) {
      done({ type: 'large', setup: of });
      return () => {};
    }
    const recorder = new RunRecorder(algorithm, options);
    const part = (): void => {
      const until = performance.now() + PART_MS;
      while (performance.now() < until) {
        if (!recorder.advance(100)) continue;
        done({ type: 'run', store: new RunStore(new RunModel(recorder.recorded())) });
        return;
      }
      const { steps } = recorder;
      timer = window.setTimeout(part);
      const cancel = (): void => {
        clearTimeout(timer);
        done({ type: 'cancelled', steps, again });
      };
      done({ type: 'recording', steps, cancel });
    };
    part();
  } catch (error) {
    if (!(error instanceof HustingsError)) throw error;
    done({ type: 'refused', text: error.message });
  }
  return () => clearTimeout(timer);
}

function playSoon(store: RunStore): () => void {
  const before = store.version.peek();
  const timer = window.setTimeout(() => {
    if (store.version.peek() === before && store.mode.peek() === 'schedule') store.play();
  }, AUTOPLAY_MS);
  return () => clearTimeout(timer);
}

/** Restores the place of the link, and keeps both equal. `again` is called when the link was changed from outside. */
function connect(store: RunStore, again: () => void): () => void {
  const problem = restorePlace(store.model, linkedPlace());
  if (problem !== null) problems.value = [...problems.peek(), { parameter: 'br', text: problem }];
  const end = keepInLink(store, {}, again);
  return () => {
    end();
    store.dispose();
  };
}
