/** Hirschberg–Sinclair phase by phase: candidates, messages, and the distance that ids travel. */

import { formatFigure } from '@hustings/base';
import { changRoberts, hirschbergSinclair } from '@hustings/study/algorithms';
import type { Run, SimulateOptions } from '@hustings/study/simulator';
import { type Claim, type Finding, type Study, study, verdictOf } from '../claim.ts';
import { everyOrder } from '../every-order.ts';
import type { Experiment } from '../experiment.ts';
import { stated } from '../origin.ts';
import { randomOrders } from '../parameter-grid.ts';
import { KARNAPKE, KHARAGPUR } from '../sources.ts';
import { tokenSteps } from './token-steps.ts';

/** What happened in one phase i, whose probes travel 2^i hops. */
interface Phase {
  /** Positions of the candidates that sent probes. */
  readonly candidates: number[];
  messages: number;
  /** By candidate. */
  readonly costs: Map<number, number>;
}

interface Phased {
  readonly n: number;
  readonly run: Run;
  readonly phases: readonly Phase[];
}

function phasesOf(experiment: Experiment, options: SimulateOptions): Phased {
  const phases: Phase[] = [];
  const phaseOf = new Map<number, number>();
  const run = experiment.run(hirschbergSinclair, {
    ...options,
    observe: (event) => {
      if (event.type !== 'send' || event.message.type === 'elected') return;
      const { type, id, phase, hops } = event.message;
      // A veto names no phase: it answers a probe of the phase that its candidate is in.
      const at = type === 'veto' ? (phaseOf.get(Number(id)) ?? 0) : Number(phase);
      const candidate = Number(id);
      phaseOf.set(candidate, at);
      phases[at] ??= { candidates: [], messages: 0, costs: new Map() };
      const { candidates, costs } = phases[at];
      if (type === 'probe' && hops === 1 && !candidates.includes(event.node)) candidates.push(event.node);
      phases[at].messages++;
      costs.set(candidate, (costs.get(candidate) ?? 0) + 1);
    },
  });
  return { n: run.plan.nodes, run, phases };
}

/** Every order of small rings, and random orders of larger ones; without and with the veto that travels back. */
function* phasedRuns(experiment: Experiment): Generator<Phased> {
  for (const veto of [false, true]) {
    for (let n = 2; n <= experiment.some(6, 8); n++) {
      for (const ids of everyOrder(n)) yield phasesOf(experiment, { ids, set: { veto } });
    }
    const sizes = experiment.quick ? [13, 32, 33] : [13, 32, 33, 100, 256];
    for (const options of randomOrders(experiment, sizes, experiment.some(20, 100))) {
      yield phasesOf(experiment, { ...options, set: { veto } });
    }
  }
}

/** Some stretch of `length` nodes has two candidates. */
function isCrowded(candidates: readonly number[], length: number, n: number): boolean {
  const sorted = candidates.toSorted((one, other) => one - other);
  return sorted.some((at, index) => {
    const next = sorted[(index + 1) % sorted.length];
    return sorted.length > 1 && (next - at + n) % n < length;
  });
}

interface PhaseTest {
  readonly claim: Omit<Claim, 'method'>;
  /** What contradicts the claim in a phase. */
  wrong(phase: Phase, i: number, run: Phased): string | undefined;
  readonly why?: string;
}

const TESTS: readonly PhaseTest[] = [
  {
    claim: {
      id: 'hirschberg-sinclair/one-in-a-stretch',
      origin: stated([KHARAGPUR, 'lines 396–397']),
      says: 'in phase i at most one of any 2^(i−1) consecutive processes sends messages: at most n/2^(i−1) candidates',
    },
    wrong: ({ candidates }, i, { n }) =>
      i > 0 &&
      (isCrowded(candidates, Math.min(n, 2 ** (i - 1)), n) ||
        candidates.length > Math.max(1, n / 2 ** (i - 1)))
        ? `${candidates.length} candidates in phase ${i} at n = ${n}`
        : undefined,
    why: 'once 2^(i−1) exceeds n there is still one candidate: the later leader',
  },
  {
    claim: {
      id: 'hirschberg-sinclair/survivors',
      origin: stated([KARNAPKE, 'slides 23–24, lines 363–379, 385–389']),
      says: 'at most n/2 candidates survive the first phase, n/3 the second and n/(1+2^(i−1)) the i-th, which start chains of length 2^i',
    },
    wrong: ({ candidates }, i, { n }) =>
      i > 0 && candidates.length > Math.max(1, n / (1 + 2 ** (i - 1)))
        ? `${candidates.length} chains of length ${2 ** i} at n = ${n}`
        : undefined,
  },
  {
    claim: {
      id: 'hirschberg-sinclair/one-left',
      origin: stated([KHARAGPUR, 'line 384']),
      says: 'when 2^i ≥ n/2, only one process gets its messages back',
    },
    wrong: ({ candidates }, i, { n }) =>
      i > 0 && 2 ** (i - 1) >= n / 2 && candidates.length > 1
        ? `${candidates.length} candidates complete phase ${i - 1} at n = ${n}`
        : undefined,
  },
  {
    claim: {
      id: 'hirschberg-sinclair/there-and-back',
      origin: stated([KHARAGPUR, 'lines 408, 419, 431, 442'], [KARNAPKE, 'slide 24, line 390']),
      says: 'a candidate causes at most 2 · 2 · 2^i messages in phase i',
    },
    wrong: ({ costs }, i, { n }) => {
      const most = Math.max(...costs.values());
      return most > 4 * 2 ** i ? `${most} messages of a candidate in phase ${i} at n = ${n}` : undefined;
    },
  },
  {
    claim: {
      id: 'hirschberg-sinclair/there-only',
      origin: stated([KHARAGPUR, 'line 398']),
      says: 'a candidate causes at most 2 · 2^i messages in phase i',
    },
    wrong: ({ costs }, i, { n }) => {
      const most = Math.max(...costs.values());
      return most > 2 * 2 ** i
        ? `${most} messages of a candidate in phase ${i} at n = ${n}; the source gives ${2 * 2 ** i}`
        : undefined;
    },
    why: 'the replies are not counted; the same slide, repeated, has 2 · 2 · 2^i',
  },
  {
    claim: {
      id: 'hirschberg-sinclair/phase-cost',
      origin: stated([KARNAPKE, 'slide 24, line 391']),
      says: 'a phase costs fewer than 8n messages',
    },
    wrong: ({ messages }, i, { n }) =>
      messages >= 8 * n ? `${messages} messages in phase ${i} at n = ${n}` : undefined,
  },
  {
    claim: {
      id: 'hirschberg-sinclair/phase-linear',
      origin: stated([KHARAGPUR, 'line 399']),
      says: 'a phase costs O(n) messages',
    },
    wrong: ({ messages }, i, { n }) =>
      messages > 8 * n ? `${messages} messages in phase ${i} at n = ${n}` : undefined,
    why: 'interpreted as: at most 8n, the product of n/2^(i−1) candidates and 2·2·2^i messages, which the same slides give',
  },
  {
    claim: {
      id: 'hirschberg-sinclair/phases',
      origin: stated([KARNAPKE, 'slide 24, lines 392–393']),
      says: 'there are at most 1 + ⌈log2 n⌉ phases',
    },
    why: 'the text prints [log2 n] here; that the brackets are ceilings is taken from the bound in the next line',
    wrong: (_, i, { n, phases }) =>
      i === phases.length - 1 && phases.length > 1 + Math.ceil(Math.log2(n))
        ? `${phases.length} phases at n = ${n}`
        : undefined,
  },
  {
    claim: {
      id: 'hirschberg-sinclair/ends',
      origin: stated([KHARAGPUR, 'line 384']),
      says: 'the one process that gets its messages back in a phase with 2^i ≥ n/2 becomes the leader, and no further phase begins',
    },
    wrong: (_, i, { n }) =>
      i > 0 && 2 ** (i - 1) >= n / 2 ? `n = ${n}: phase ${i} begins although 2^${i - 1} ≥ n/2` : undefined,
    why: 'interpreted as: it becomes the leader in this phase. It is the only one left (one-left), but it does not know n: it leads when a probe has travelled the whole ring, which needs 2^i ≥ n',
  },
];

/** All tests on the same runs. The first run that contradicts a claim refutes it. */
const phaseStudy: Study = {
  claims: TESTS.map(({ claim }) => ({ ...claim, method: 'every order' as const })),
  measure(experiment) {
    const broken: (Finding | undefined)[] = TESTS.map(() => undefined);
    let runs = 0;
    for (const phased of phasedRuns(experiment)) {
      runs++;
      TESTS.forEach(({ wrong, why }, index) => {
        phased.phases.forEach((phase, i) => {
          const found = broken[index] === undefined ? wrong(phase, i, phased) : undefined;
          if (found === undefined) return;
          const { replay } = phased.run.plan;
          broken[index] = { verdict: 'refuted', measured: found, ...(why && { why }), replay };
        });
      });
    }
    const measured = `holds in ${formatFigure(runs)} elections: every order up to n = ${experiment.some(6, 8)}, random orders of larger rings, without and with veto`;
    return TESTS.map(
      ({ why }, index) => broken[index] ?? { verdict: 'confirmed', measured, ...(why && { why }) },
    );
  },
};

const coreIdea: Study = study({
  id: 'hirschberg-sinclair/core-idea',
  origin: stated([KHARAGPUR, 'line 296']),
  says: 'the core idea: messages with larger ids travel smaller distances',
  method: 'share of runs',
  measure(experiment) {
    const n = 32;
    const runs = experiment.some(60, 300);
    const [sums, before] = [new Array<number>(n + 1).fill(0), new Array<number>(n + 1).fill(0)];
    let largest = 0;
    let replay = '';
    for (const options of randomOrders(experiment, [n], runs)) {
      const { phases, run } = phasesOf(experiment, options);
      const own = new Array<number>(n + 1).fill(0);
      for (const { costs } of phases) for (const [id, cost] of costs) own[id] += cost;
      own.forEach((cost, id) => {
        sums[id] += cost / runs;
      });
      for (const [id, steps] of tokenSteps(experiment, changRoberts, options).steps)
        before[id] += steps / runs;
      if (own[n] === Math.max(...own)) largest++;
      replay ||= run.plan.replay;
    }
    const quarters = (costs: readonly number[]): number[] =>
      [1, 2, 3, 4].map((quarter) => {
        const ids = costs.slice(1 + ((quarter - 1) * n) / 4, 1 + (quarter * n) / 4);
        return ids.reduce((sum, cost) => sum + cost, 0) / ids.length;
      });
    const [now, then] = [quarters(sums), quarters(before)];
    const falls = now.every((cost, index) => index === 0 || cost < now[index - 1]);
    return {
      verdict: verdictOf(falls || now[3] < then[3]),
      measured: `n = ${n}: an id of the smallest quarter causes ${now[0].toFixed(1)} messages on average, one of the largest ${now[3].toFixed(1)}, against ${then[3].toFixed(1)} in Chang–Roberts; the largest id causes most in ${largest} of ${runs} orders`,
      why: 'an intention, interpreted as: larger ids cause fewer messages than smaller ones, or fewer than in Chang–Roberts. Neither is so: smaller ids are stopped sooner, and the largest travels the whole ring',
      replay,
    };
  },
});

/** With compare=phase: what happens when a probe reaches an initiator in another phase. */
const higherPhase: Study = study({
  id: 'hirschberg-sinclair/higher-phase',
  origin: stated([KARNAPKE, 'slide 25, lines 407–408']),
  says: 'compared by (phase, identity), an initiator in a higher phase always prevails against one in a lower phase',
  method: 'share of runs',
  measure(experiment) {
    const grid = randomOrders(experiment, [5, 16, 32], experiment.some(50, 300), {
      schedule: 'random',
      set: { compare: 'phase' },
    });
    let [runs, against, replay] = [0, 0, ''];
    for (const options of grid) {
      const { ids } = experiment.run(hirschbergSinclair, options).facts();
      /** The phase of each node: that of its own latest probe. */
      const phaseOf = new Array<number>(ids.length).fill(0);
      const beaten = new Set<number>();
      /** A probe that is being handled at a node in another phase. */
      let met: { readonly node: number; readonly id: number; readonly isHigher: boolean } | null = null;
      let wrong: string | undefined;
      const settle = (isPassed: boolean): void => {
        if (met === null) return;
        if (isPassed !== met.isHigher) wrong ??= `node ${met.node} and the probe of ${met.id}`;
        if (met.isHigher && ids[met.node] > met.id) against++;
        if (met.isHigher) beaten.add(met.node);
        met = null;
      };
      const run = experiment.run(hirschbergSinclair, {
        ...options,
        observe: (event) => {
          const { node, type } = event;
          if (type === 'send' && met?.node === node) settle(Number(event.message.id) === met.id);
          else settle(false);
          if ((type !== 'send' && type !== 'deliver') || event.message.type !== 'probe') return;
          const [id, phase] = [Number(event.message.id), Number(event.message.phase)];
          if (type === 'send' && id === ids[node]) {
            if (phase > phaseOf[node] && beaten.has(node)) wrong ??= `${id} goes on after a higher phase`;
            phaseOf[node] = phase;
          }
          if (type === 'deliver' && id !== ids[node] && phase !== phaseOf[node]) {
            met = { node, id, isHigher: phase > phaseOf[node] };
          }
        },
      });
      settle(false);
      runs++;
      replay ||= run.plan.replay;
      if (wrong !== undefined) return { verdict: 'refuted', measured: wrong, replay: run.plan.replay };
    }
    return {
      verdict: against > 0 ? 'confirmed' : 'undecided',
      measured: `holds in ${formatFigure(runs)} elections; ${formatFigure(against)} times a node lets a probe of a higher phase pass although its own id is larger`,
      replay,
    };
  },
});

export const phaseStudies: readonly Study[] = [phaseStudy, coreIdea, higherPhase];
