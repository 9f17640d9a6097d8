import { useEffect, useMemo, useState } from 'preact/hooks';
import type { LessonAct, LessonStep } from '../../model/lessons/lesson.ts';
import { changeText, readChange } from '../../model/lessons/lesson-change.ts';
import { changedSetup, stageModel } from '../../model/lessons/lesson-stage.ts';
import type { LabSetup } from '../../model/setup/lab-setup.ts';
import { RunStore } from '../run/run-store.ts';
import { extra, navigate, problems } from '../shell/router.ts';

/** The run of a step, and what the reader made of its setup. */
export interface LessonStageState {
  readonly store: RunStore;
  readonly setup: LabSetup;
  /** Changes the setup: a new run, and a new link. */
  readonly change: (act: LessonAct) => void;
  /** The step as it was at first. */
  readonly restart: () => void;
}

/** The run of a step, with the setup of the link. The component that uses it has the step as its key. */
export function useLessonStage(step: LessonStep): LessonStageState {
  const [restarts, setRestarts] = useState(0);
  const text = extra.value.change;
  const read = useMemo(() => readChange(step, text), [text]);
  const setup = read ?? step.setup;
  useEffect(() => {
    const others = problems.peek().filter(({ parameter }) => parameter !== 'change');
    const found = `\`change\` does not fit this step: ${text?.slice(0, 60)}. The setup of the lesson is used.`;
    problems.value = read === null ? [...others, { parameter: 'change', text: found }] : others;
  }, [read]);
  const store = useMemo(() => {
    const made = new RunStore(stageModel(step, setup));
    if (step.controls?.steps === true) made.mode.value = 'you';
    return made;
  }, [setup, restarts]);
  useEffect(() => () => store.dispose(), [store]);
  return {
    store,
    setup,
    change: (act) => {
      if (changedSetup(step, setup, act) !== null) navigate({ extra: { change: changeText(act) } });
    },
    restart: () => {
      setRestarts((count) => count + 1);
      navigate({ extra: { change: undefined } });
    },
  };
}
