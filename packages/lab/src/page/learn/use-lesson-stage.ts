import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { LessonAct, LessonStep } from '../../model/lessons/lesson.ts';
import { changeText, readChange } from '../../model/lessons/lesson-change.ts';
import { bareModel, changedSetup, stageModel } from '../../model/lessons/lesson-stage.ts';
import { placeOf, type RunPlace, restorePlace } from '../../model/run/branch-link.ts';
import type { LabSetup } from '../../model/setup/lab-setup.ts';
import { keepInLink, linkedPlace } from '../run/run-link.ts';
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

const NO_RUN_PLACE = { t: undefined, br: undefined };

/** The run of a step at the place of the link, and the place at which the lesson begins. */
function openStage(step: LessonStep, setup: LabSetup, linked: RunPlace) {
  const begun = stageModel(step, setup);
  const initial = placeOf(begun);
  const isLinked = linked.t !== undefined || linked.br !== undefined;
  const model = isLinked ? bareModel(step, setup) : begun;
  const problem = isLinked ? restorePlace(model, linked) : null;
  const store = new RunStore(model);
  if (step.controls?.steps === true) store.mode.value = 'you';
  return { initial, problem, store };
}

/** The run of a step, with the setup of the link. The component that uses it has the step as its key. */
export function useLessonStage(step: LessonStep): LessonStageState {
  const [visits, setVisits] = useState(0);
  const again = (): void => setVisits((count) => count + 1);
  const text = extra.value.change;
  const read = useMemo(() => readChange(step, text), [text]);
  const setup = read ?? step.setup;
  useEffect(() => {
    const others = problems.peek().filter(({ parameter }) => parameter !== 'change');
    const found = `\`change\` does not fit this step: ${text?.slice(0, 60)}. The setup of the lesson is used.`;
    problems.value = read === null ? [...others, { parameter: 'change', text: found }] : others;
  }, [read]);
  const { initial, problem, store } = useMemo(() => openStage(step, setup, linkedPlace()), [setup, visits]);
  // Not after the frame: a run that plays on meanwhile would write its place into the link of the next.
  useLayoutEffect(() => {
    const others = problems.peek().filter(({ parameter }) => parameter !== 'br');
    problems.value = problem === null ? others : [...others, { parameter: 'br', text: problem }];
    const end = keepInLink(store, initial, again);
    return () => {
      end();
      store.dispose();
    };
  }, [store]);
  return {
    store,
    setup,
    change: (act) => {
      const isChanged = changedSetup(step, setup, act) !== null;
      if (isChanged) navigate({ extra: { ...NO_RUN_PLACE, change: changeText(act) } });
    },
    restart: () => {
      navigate({ extra: { ...NO_RUN_PLACE, change: undefined } });
      again();
    },
  };
}
