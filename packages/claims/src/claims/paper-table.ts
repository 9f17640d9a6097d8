/** The table of Shirali et al. for 64 nodes: printed figures, their formulas, measured figures, and why they differ. */

import { formatFigure } from '@hustings/base';
import { bully, bullyIds, divided, ringList, sun } from '@hustings/study/algorithms';
import type { AnyAlgorithm } from '@hustings/study/kernel';
import type { Run, SimulateOptions } from '@hustings/study/simulator';
import { type Row, type Study, study, verdictOf } from '../claim.ts';
import { stated } from '../origin.ts';
import { SHIRALI } from '../sources.ts';

interface Line {
  readonly id: string;
  /** The line in the paper's plain text. */
  readonly line: number;
  readonly name: string;
  readonly algorithm: AnyAlgorithm;
  readonly options: SimulateOptions;
  /** Messages and latency. */
  readonly paper: readonly [number, number];
  readonly formula: readonly [string, string];
  /** The part of a run that the paper counts, if not all of it. */
  readonly part?: { readonly name: string; of(run: Run): readonly [messages: number, time: number] };
  /** Empty where they do not differ. */
  readonly why: string;
}

function figures(run: Run): readonly [messages: number, time: number] {
  const { messages, time } = run.outcome();
  return [messages.total, Number(time.announcementReturnedAt ?? time.agreedAt)];
}

/** Crash to a point of depth 1, election and reply: 3 units before `divide`. */
const fromDivide = {
  name: 'from `divide` on',
  of(run: Run): readonly [number, number] {
    const { messages, time } = run.outcome();
    const { crash, election, reply } = messages.byType;
    return [messages.total - crash - election - reply, Number(time.announcementReturnedAt) - 3];
  },
};

/** Sun or Divided with u = 4: the detector is at position 0, and all nodes are live. */
function nested(kind: 'S' | 'D', depth: number, line: number): Omit<Line, 'paper' | 'formula' | 'why'> {
  return {
    id: `${kind.toLowerCase()}${depth}`,
    line,
    name: `${kind}(${depth}), u = 4, all nodes live`,
    algorithm: kind === 'S' ? sun : divided,
    options: { initiators: [0], set: { u: 4, depth }, crash: 'none' },
    ...(kind === 'D' && { part: fromDivide }),
  };
}

const LINES: readonly Line[] = [
  {
    id: 'bully',
    line: 259,
    name: 'Bully, ids in the answers, P[32] detects that P[64] has crashed',
    algorithm: bullyIds,
    options: { order: 'ascending', initiators: [31] },
    paper: [128, 3],
    formula: ['n/2 + n/2 + n', '1 + 1 + 1'],
    why: 'the formula rounds up, and counts the crashed coordinator among the processes that answer and are informed',
  },
  {
    id: 'ring',
    line: 260,
    name: 'Ring, P[1] detects that P[64] has crashed',
    algorithm: ringList,
    options: { order: 'ascending', initiators: [0], crash: [{ position: 63, time: 0 }] },
    paper: [128, 128],
    formula: ['2n', '2n'],
    why: 'the formula counts the crashed coordinator among the processes that forward the announcement; 128 if no process has crashed (ring-list/all-live)',
  },
  {
    ...nested('S', 1, 261),
    paper: [176, 64],
    formula: ['2(64 + 16) + 16 = 176', '4m + 2n/m = 72 (section 4), 3L_r + 2du = 56 (section 5)'],
    why: '176 requires n/u = 16 division points, but its column has 4; its two latencies differ from each other and from the printed 64; and a subring starts one hop before its ring closes',
  },
  {
    ...nested('D', 1, 262),
    paper: [140, 36],
    formula: ['2n + 3u = 140', '3 + 2n/u = 35'],
    why: 'the formula of the paper gives 35 and omits crash, election and reply',
  },
  {
    ...nested('S', 2, 263),
    paper: [172, 28],
    formula: ['2(64 + 16 + 4) + 4 = 172', '3L_r + 2du = 28'],
    why: '12 messages gather what ends between the rings; without them 36 nodes are unread; and subrings start one hop before their ring closes',
  },
  {
    ...nested('D', 2, 264),
    paper: [176, 14],
    formula: ['2n + 3u² = 176', '6 + 2n/u² = 14'],
    why: 'the count omits crash, election and reply',
  },
];

function lineStudy({ id, line, name, algorithm, options, paper, formula, part, why }: Line): Study {
  return study({
    id: `paper-table/${id}`,
    origin: stated([SHIRALI, `table 2, line ${line}`]),
    says: `${name}, 64 nodes: ${paper[0]} messages, latency ${paper[1]}`,
    method: 'table',
    measure(experiment) {
      const run = experiment.run(algorithm, { nodes: 64, ...options, seed: experiment.seedOf(0) });
      const whole = figures(run);
      const counted = part?.of(run) ?? whole;
      const show = ([messages, time]: readonly [number, number]): string =>
        `${formatFigure(messages)} messages, latency ${formatFigure(time)}`;
      const isRight = counted[0] === paper[0] && counted[1] === paper[1];
      return {
        verdict: verdictOf(isRight),
        measured: `${show(counted)}${part === undefined ? '' : ` ${part.name}; ${show(whole)} in all`}`,
        ...(why !== '' && { why }),
        replay: run.plan.replay,
        table: {
          columns: ['', 'paper', 'its formula', 'measured'],
          rows: ['messages', 'latency'].map((title, index) => [
            title,
            String(paper[index]),
            formula[index],
            part === undefined
              ? String(whole[index])
              : `${counted[index]} ${part.name}, ${whole[index]} in all`,
          ]),
        },
      };
    },
  });
}

const bullyOrder: Study = study({
  id: 'paper-table/bully-order',
  origin: stated([SHIRALI, 'table 1, line 251']),
  says: 'bully has O(n) messages and latency 3',
  method: 'exact count',
  measure(experiment) {
    const rows = [64, 256].map((n) => {
      const options = { nodes: n, order: 'ascending', initiators: [n / 2 - 1] } as const;
      const run = experiment.run(bullyIds, options);
      const primary = experiment.outcome(bully, options).messages.total;
      return { n, run, costs: figures(run), primary };
    });
    return {
      verdict: verdictOf(rows.every(({ n, costs: [messages, time] }) => messages <= 2 * n && time === 3)),
      measured: rows
        .map(
          ({ n, costs: [messages, time], primary }) =>
            `n = ${formatFigure(n)}: ${formatFigure(messages)} messages in ${time}, ${formatFigure(primary)} without ids in the answers`,
        )
        .join('; '),
      why: 'the table does not say that it means the improvement of section 2.1; the primary algorithm has O(n²) messages and latency 5 by section 2 of the paper',
      replay: rows[0].run.plan.replay,
    };
  },
});

const smallNetworks: Study = study({
  id: 'paper-table/small',
  origin: stated([SHIRALI, 'section 7, line 242']),
  says: 'on few nodes bully costs least',
  method: 'exact count',
  measure(experiment) {
    const rows = [4, 8, 16].map((n) => {
      const middle = { order: 'ascending', initiators: [n / 2 - 1] } as const;
      const inRings = { initiators: [0], set: { u: 2, depth: 1 }, crash: 'none' } as const;
      const all: readonly (readonly [AnyAlgorithm, SimulateOptions])[] = [
        [bullyIds, middle],
        [ringList, { initiators: [0] }],
        [sun, inRings],
        [divided, inRings],
      ];
      return {
        n,
        costs: all.map(([algorithm, options]) =>
          figures(experiment.run(algorithm, { nodes: n, ...options })),
        ),
      };
    });
    const isBest = rows.every(({ costs: [[messages, time], ...others] }) =>
      others.every(([more, longer]) => messages < more && time < longer),
    );
    return {
      verdict: verdictOf(isBest),
      measured: rows
        .map(
          ({ n, costs }) =>
            `n = ${n}: ${costs[0][0]} messages in ${costs[0][1]}, the ring ${costs[1][0]} in ${costs[1][1]}`,
        )
        .join('; '),
      why: 'bully with ids in the answers, detected by the middle process, against ring, Sun and Divided with u = 2',
      table: {
        columns: ['n', ...['Bully', 'Ring', 'S(1)', 'D(1)'].map((name) => `${name}: messages, latency`)],
        rows: rows.map(({ n, costs }) => [String(n), ...costs.map((each) => each.join(', '))]),
      },
    };
  },
});

export const paperTableRow: Row = {
  name: 'paper-table',
  title: 'The table of the paper for 64 nodes',
  studies: [...LINES.map(lineStudy), bullyOrder, smallNetworks],
  overview: (findings) => ({
    columns: [
      '',
      ...['messages', 'latency'].flatMap((title) =>
        ['paper', 'formula', 'measured'].map((each) => `${title}: ${each}`),
      ),
      'why they differ',
    ],
    rows: findings
      .slice(0, LINES.length)
      .map(({ table }, index) => [
        LINES[index].name,
        ...(table?.rows ?? []).flatMap(([, ...figures]) => figures),
        LINES[index].why,
      ]),
  }),
};
