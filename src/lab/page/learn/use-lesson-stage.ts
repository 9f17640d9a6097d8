import { useEffect, useMemo, useState } from 'preact/hooks';
import type { LessonAct, LessonStep } from '../../model/lessons/lesson.ts';
import { changedSetup, stageModel } from '../../model/lessons/lesson-stage.ts';
import type { LabSetup } from '../../model/setup/lab-setup.ts';
import { RunStore } from '../run/run-store.ts';

/** The run of a step, and what the reader made of its setup. */
export interface LessonStageState {
  readonly store: RunStore;
  readonly setup: LabSetup;
  /** Changes the setup: a new run. */
  readonly change: (act: LessonAct) => void;
  /** The step as it was at first. */
  readonly restart: () => void;
}

/** The run of a step. The component that uses it has the step as its key. */
export function useLessonStage(step: LessonStep): LessonStageState {
  const [state, setState] = useState({ setup: step.setup });
  const { setup } = state;
  const store = useMemo(() => {
    const made = new RunStore(stageModel(step, setup));
    if (step.controls?.steps === true) made.mode.value = 'you';
    return made;
  }, [state]);
  useEffect(() => () => store.dispose(), [store]);
  return {
    store,
    setup,
    change: (act) => {
      const changed = changedSetup(step, setup, act);
      if (changed !== null) setState({ setup: changed });
    },
    restart: () => setState({ setup: step.setup }),
  };
}
