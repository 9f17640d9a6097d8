/** Changes of a setup as the sentence makes them: one parameter at a time, and what depends on it follows. */

import { nodesOf, parseTopologyName } from '@hustings/study/driver';
import { resolvePlan } from '@hustings/study/internal/simulator/plan/resolve-plan';
import { AssumptionError, InputError } from '@hustings/study/kernel';
import { algorithmOf, type LabSetup, optionsOf } from './lab-setup.ts';
import {
  messageOf,
  problemOf,
  readParameter,
  type SetupOptionsOfLab,
  withoutDefaults,
} from './parameters.ts';

/** The changed setup, or the reason why there is none. */
export type SetupEdit =
  | { readonly type: 'changed'; readonly setup: LabSetup }
  | { readonly type: 'refused'; readonly text: string };

/** Gives a parameter a value in the syntax of links. No text, or an empty one, gives it its default. */
export function editParameter(setup: LabSetup, parameter: string, texts: readonly string[]): SetupEdit {
  try {
    const given = texts.map((text) => text.trim()).filter((text) => text !== '');
    const options =
      given.length === 0 ? { [camelCase(parameter)]: undefined } : readParameter(parameter, given);
    return editOptions(setup, options);
  } catch (error) {
    return { type: 'refused', text: messageOf(error) };
  }
}

/** Changes some options. Options that contradict them get their defaults. */
export function editOptions(setup: LabSetup, options: SetupOptionsOfLab): SetupEdit {
  const next = withoutDefaults({ ...setup, ...contradicted(setup, options), ...options });
  const problem = problemOf(next);
  if (problem === null) return { type: 'changed', setup: next };
  // Initiators and faults name positions, which a smaller network may not have.
  const smaller = withoutDefaults({ ...next, ...POSITIONS, ...options });
  if (problemOf(smaller) === null) return { type: 'changed', setup: smaller };
  return { type: 'refused', text: problem };
}

const POSITIONS = { initiators: undefined, crash: undefined, recover: undefined, partition: undefined };

function contradicted(
  setup: LabSetup,
  { nodes, ids, order, topology }: SetupOptionsOfLab,
): SetupOptionsOfLab {
  const fixed = (name: string | undefined): number | null =>
    name === undefined ? null : nodesOf(parseTopologyName(name));
  if (nodes !== undefined) {
    const size = fixed(setup.topology);
    const hasOtherIds = typeof setup.ids === 'object' && setup.ids.length !== nodes;
    return {
      ...(hasOtherIds && { ids: undefined }),
      ...(size !== null && size !== nodes && { topology: undefined }),
    };
  }
  if (ids !== undefined)
    return ids === 'anonymous' ? { order: undefined } : { nodes: undefined, order: undefined };
  if (order !== undefined) {
    return typeof setup.ids === 'object' ? { ids: undefined, nodes: setup.ids.length } : {};
  }
  const size = fixed(topology);
  if (size === null) return {};
  const hasOtherIds = typeof setup.ids === 'object' && setup.ids.length !== size;
  return { nodes: undefined, ...(hasOtherIds && { ids: undefined }) };
}

/** Another algorithm in the same setup, as far as its assumptions allow. Its parameters have their defaults. */
export function editAlgorithm(setup: LabSetup, algorithm: string): LabSetup {
  const { algorithm: _, set: __, despite: ___, ...options } = setup;
  let next: LabSetup = { algorithm };
  for (const [name, value] of Object.entries(options)) {
    const tried = { ...next, [name]: value };
    if (isValid(tried)) next = tried;
  }
  return withoutDefaults(next);
}

function isValid(setup: LabSetup): boolean {
  try {
    resolvePlan(algorithmOf(setup), optionsOf(setup));
    return true;
  } catch (error) {
    if (error instanceof AssumptionError || error instanceof InputError) return false;
    throw error;
  }
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
