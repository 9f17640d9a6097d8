/** The declaration of an algorithm as plain data, for JSON and for its page. */
import type { AnyAlgorithm } from './algorithm.ts';
import type { CustomMeasures } from './measure.ts';
import { type Param, rangeOf, type Setting } from './params.ts';
import { DEFAULT_NODES } from './setup.ts';

/** An algorithm as plain data: assumptions, parameters, messages and laws. */
export interface AlgorithmDescription {
  readonly name: string;
  readonly title: string;
  readonly source: string;
  readonly cost: string;
  readonly assumes: {
    readonly network: string;
    readonly timing: string;
    readonly ids: string;
    readonly fifo: boolean;
    readonly knows: readonly string[];
    readonly faults: readonly string[];
    readonly mayErr: boolean;
  };
  readonly trigger: string;
  /** True if an initiator that receives a message before its start runs `onStart` first. */
  readonly startOnMessage: boolean;
  /** A range or default that depends on the number of nodes is given for 8 nodes. */
  readonly params: readonly {
    readonly name: string;
    readonly about: string;
    readonly range: string;
    readonly default: Setting;
    readonly dependsOnN: boolean;
  }[];
  readonly messages: readonly {
    readonly type: string;
    readonly fields: readonly string[];
    readonly announces: boolean;
    readonly upkeep: boolean;
  }[];
  readonly timers: readonly string[];
  readonly measures: readonly { readonly name: string; readonly type: string; readonly about: string }[];
  readonly laws: readonly {
    readonly measure: string;
    readonly kind: string;
    readonly formula: string;
    readonly when: string | null;
  }[];
  readonly invariants: readonly {
    readonly name: string;
    readonly scope: 'node' | 'network';
    readonly statement: string;
  }[];
}

/** Describes an algorithm as plain data. */
export function describeAlgorithm(algorithm: AnyAlgorithm): AlgorithmDescription {
  const { name, title, source, cost, assumes } = algorithm;
  const params = Object.entries(algorithm.params as Record<string, Param<Setting>>);
  return {
    name,
    title,
    source,
    cost,
    assumes: {
      network: assumes.network,
      timing: assumes.timing,
      ids: assumes.ids,
      fifo: assumes.fifo,
      knows: assumes.knows ?? [],
      faults: assumes.faults ?? [],
      mayErr: assumes.mayErr ?? false,
    },
    trigger: algorithm.trigger ?? 'start',
    startOnMessage: algorithm.startOnMessage ?? false,
    params: params.map(([key, param]) => ({
      name: key,
      about: param.about,
      range: rangeOf(param, DEFAULT_NODES),
      default: typeof param.byDefault === 'function' ? param.byDefault(DEFAULT_NODES) : param.byDefault,
      dependsOnN: typeof param.byDefault === 'function',
    })),
    messages: Object.entries(algorithm.messages as Record<string, MessageDeclaration>).map(
      ([type, { fields, announces, upkeep }]) => ({
        type,
        fields: fields.map(([field]) => field),
        announces,
        upkeep,
      }),
    ),
    timers: algorithm.timers ?? [],
    measures: Object.entries((algorithm.measures ?? {}) as CustomMeasures).map(
      ([measure, { type, about }]) => ({
        name: measure,
        type,
        about,
      }),
    ),
    laws: algorithm.laws.map(({ measure, kind, formula, when }) => ({
      measure:
        typeof measure !== 'object'
          ? measure
          : 'own' in measure
            ? measure.own
            : `messages: ${measure.messages}`,
      kind,
      formula,
      when: when ?? null,
    })),
    invariants: (['node', 'network'] as const).flatMap((scope) =>
      Object.entries((algorithm.invariants?.[scope] ?? {}) as Record<string, { statement: string }>).map(
        ([invariant, { statement }]) => ({ name: invariant, scope, statement }),
      ),
    ),
  };
}

type MessageDeclaration = {
  readonly fields: readonly (readonly [string, unknown])[];
  readonly announces: boolean;
  readonly upkeep: boolean;
};
