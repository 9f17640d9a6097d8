/** Complete networks with crashes: bully and its variants. Processes are 1 to n, n has crashed, and i detects it. */

import { formatFigure } from '@hustings/base';
import { bully, bullyGrant, bullyIds, bullySuccessor } from '@hustings/study/algorithms';
import type { AnyAlgorithm } from '@hustings/study/kernel';
import type { SimulateOptions } from '@hustings/study/simulator';
import { type Row, study, verdictOf } from '../claim.ts';
import type { Experiment } from '../experiment.ts';
import { lawRow } from '../law-row.ts';
import { percent } from '../law-study.ts';
import { follows, ours, stated } from '../origin.ts';
import { ANY_SCHEDULE, numbered } from '../parameter-grid.ts';
import { everyRunStudy, runStudy, someRunsStudy } from '../run-study.ts';
import { searchStudy, twinStudy } from '../search.ts';
import { ROURKELA, SHIRALI } from '../sources.ts';
import { bullyStudies } from '../studies/bully-examples.ts';

/** Every n up to a limit and every detector i; random sets of detectors and timeouts; and with the two largest crashed. */
function* detectors(experiment: Experiment): Generator<SimulateOptions> {
  const most = experiment.some(20, 48);
  for (let nodes = 2; nodes <= most; nodes++) {
    for (let i = 1; i < nodes; i++) yield { nodes, order: 'ascending', initiators: [i - 1] };
  }
  const random = experiment.random('detectors');
  for (let index = 0; index < experiment.some(40, 200); index++) {
    const nodes = 3 + random.below(30);
    const options = { nodes, seed: experiment.seedOf(index), set: { timeout: 2 + random.below(3) } };
    yield { ...options, initiators: { random: 1 + random.below(nodes - 1) } };
  }
  for (let nodes = 3; nodes <= most; nodes++) {
    for (let i = 1; i <= nodes - 2; i++) {
      const crash = [nodes - 1, nodes - 2].map((position) => ({ position, time: 0 }));
      yield { nodes, order: 'ascending', initiators: [i - 1], crash };
    }
  }
}

/** Process i of n detects the crash. */
function detectedBy(i: number, nodes: number): SimulateOptions {
  return { nodes, order: 'ascending', initiators: [i - 1] };
}

export const bullyRow = lawRow(
  bully,
  {
    origins: {
      '⟨election⟩ messages = (n−i)(n−i+1)/2': follows([ROURKELA, 'lines 213–221']),
      'announcement messages = n−2': follows([ROURKELA, 'lines 168, 227']),
    },
    grid: detectors,
  },
  [
    runStudy(bully, {
      id: 'bully/worst',
      origin: stated([ROURKELA, 'lines 213–221']),
      says: 'in the worst case the lowest id detects the crash, and (N−1)·N/2 election messages are sent',
      method: 'exact count',
      options: (experiment) => detectedBy(1, experiment.some(64, 256)),
      finding: ({ n, messages: { byType } }) => ({
        holds: byType.election === ((n - 1) * n) / 2,
        measured: `${formatFigure(byType.election)} at n = ${n}`,
      }),
    }),
    study({
      id: 'bully/five',
      origin: stated([ROURKELA, 'lines 199–211']),
      says: 'in the worst case an election takes 5 message transmission times',
      method: 'one run',
      measure(experiment) {
        const [two, three] = [2, 3].map((timeout) =>
          experiment.run(bully, { ...detectedBy(1, 16), set: { timeout } }),
        );
        const { agreedAt } = two.outcome().time;
        return {
          verdict: verdictOf(agreedAt === 5),
          measured: `${agreedAt} with a timeout of one round trip, T = 2`,
          why: `the answer to the lowest process and the next election message are sent at the same moment, and the source counts them as two steps; the time is T + 2, and ${three.outcome().time.agreedAt} with T = 3`,
          replay: two.plan.replay,
        };
      },
    }),
    study({
      id: 'bully/best',
      origin: stated([ROURKELA, 'lines 223–229']),
      says: 'in the best case the second highest process detects the crash: N−2 coordinator messages and 1 message transmission time',
      method: 'one run',
      measure(experiment) {
        const n = 16;
        const run = experiment.run(bully, { ...detectedBy(n - 1, n), set: { timeout: 2 } });
        const { agreedAt } = run.outcome().time;
        const { announcement } = experiment.outcome(bully, detectedBy(n - 1, n)).messages;
        return {
          verdict: verdictOf(agreedAt === 1 && announcement === n - 2),
          measured: `${announcement} coordinator messages at n = ${n}, and all nodes have decided at ${agreedAt}`,
          why: 'the count is correct; the time omits that the process first asks the highest and waits T = 2 for an answer. With a declared successor it is 1',
          replay: run.plan.replay,
        };
      },
    }),
    study({
      id: 'bully/recovered',
      origin: follows([ROURKELA, 'lines 144–146']),
      says: 'a recovered highest process takes over immediately: n−1 coordinator messages, time 1',
      method: 'exact count',
      measure(experiment) {
        const n = 16;
        const back = 100;
        let announced = 0;
        let last = 0;
        const run = experiment.run(bully, {
          ...detectedBy(1, n),
          crash: [{ position: n - 1, time: 0 }],
          recover: [{ position: n - 1, time: back }],
          observe: (event) => {
            if (event.time < back) return;
            if (event.type === 'send' && event.message.type === 'coordinator') announced++;
            if (event.type === 'decide') last = event.time;
          },
        });
        return {
          verdict: verdictOf(announced === n - 1 && last - back === 1 && run.outcome().leader?.id === n),
          measured: `${announced} coordinator messages at n = ${n}, and all nodes have decided ${last - back} unit later`,
          replay: run.plan.replay,
        };
      },
    }),
    ...bullyStudies,
  ],
);

export const bullyIdsRow = lawRow(bullyIds, { grid: detectors }, [
  runStudy(bullyIds, {
    id: 'bully-ids/linear',
    origin: stated([SHIRALI, 'section 2.1, lines 63–67']),
    says: 'about 2n messages and 3 steps if the middle process detects the crash',
    method: 'one run',
    options: () => detectedBy(512, 1024),
    finding: ({ n, messages: { total }, time: { agreedAt } }) => ({
      holds: total <= 2 * n && total >= 2 * n - 4 && agreedAt === 3,
      measured: `${formatFigure(total)} messages at n = ${formatFigure(n)}, time ${agreedAt}`,
    }),
  }),
]);

export const bullyGrantRow = lawRow(
  bullyGrant,
  {
    origins: {
      '⟨election⟩ messages = n−i, summed over all detectors': follows([ROURKELA, 'line 277']),
      '⟨answer⟩ messages = n−i−1, summed over all detectors': follows([ROURKELA, 'line 279']),
      '⟨grant⟩ messages = 1; 0 if n−1 is the only detector': follows([ROURKELA, 'line 280']),
      'announcement messages = n−2': follows([ROURKELA, 'line 281']),
    },
    grid: detectors,
  },
  [
    study({
      id: 'bully-grant/resolves',
      origin: stated([ROURKELA, 'line 275']),
      says: 'modified bully resolves the disadvantages of bully: all ids known, many messages, O(n²)',
      method: 'one run',
      measure(experiment) {
        const rows = [32, 64, 128].map((n) => {
          const initiators = Array.from({ length: n - 1 }, (_, position) => position);
          const run = experiment.run(bullyGrant, { nodes: n, order: 'ascending', initiators });
          return { n, run, total: run.outcome().messages.total };
        });
        return {
          verdict: verdictOf(rows.every(({ n, total }) => total < (n * n) / 2)),
          measured: `${rows.map(({ n, total }) => `${formatFigure(total)} messages at n = ${n}`).join(', ')}, if all processes detect the crash at once`,
          why: 'the same notes say so at lines 287 and 289: O(n²) in the worst case, and every process must know the others. A single detector needs O(n) messages, as the next claim shows',
          replay: rows[0].run.plan.replay,
        };
      },
    }),
    study({
      id: 'bully-grant/square',
      origin: stated([ROURKELA, 'line 287']),
      says: 'better than bully, but also of order n² in the worst case',
      method: 'one run',
      measure(experiment) {
        const [n, initiators] = [128, Array.from({ length: 127 }, (_, position) => position)];
        const run = experiment.run(bullyGrant, { nodes: n, order: 'ascending', initiators });
        const { total } = run.outcome().messages;
        const alone = experiment.outcome(bullyGrant, detectedBy(1, n)).messages.total;
        return {
          verdict: verdictOf(total > (n * n) / 2 && alone < 4 * n),
          measured: `${formatFigure(total)} messages at n = ${n} if all processes detect the crash at once, ${formatFigure(alone)} if only the lowest does`,
          replay: run.plan.replay,
        };
      },
    }),
  ],
);

export const bullySuccessorRow = lawRow(bullySuccessor, { grid: detectors }, [
  study({
    id: 'bully-successor/overcomes',
    origin: stated([ROURKELA, 'line 251']),
    says: 'improved bully overcomes the disadvantages of bully: all ids known, many messages, O(n²)',
    method: 'one run',
    measure(experiment) {
      const n = 64;
      const initiators = Array.from({ length: n - 1 }, (_, position) => position);
      const all = experiment.outcome(bullySuccessor, { nodes: n, order: 'ascending', initiators }).messages;
      const run = experiment.run(bullySuccessor, {
        ...detectedBy(1, n),
        crash: [n - 1, n - 2].map((position) => ({ position, time: 0 })),
      });
      const { total, election } = run.outcome().messages;
      return {
        verdict: verdictOf(total < (n * n) / 4),
        measured: `n = ${n}: ${all.election + all.announcement} messages if all processes detect the crash, and ${all.upkeep} to declare the next successor; but ${formatFigure(total)}, ${formatFigure(election)} of them for the election, if the declared successor has crashed too`,
        why: 'then the bully election is held, with O(n²) messages. Every process still keeps the ids of all others, as line 269 of the same notes says',
        replay: run.plan.replay,
      };
    },
  }),
  everyRunStudy(bullySuccessor, {
    id: 'bully-successor/declared',
    origin: stated([ROURKELA, 'lines 253–261']),
    says: 'the coordinator declares its successor before it fails; a process that notices the failure compares ids, and the successor takes over',
    method: 'exact count',
    *grid(experiment) {
      for (let nodes = 3; nodes <= experiment.some(16, 40); nodes++) {
        for (let i = 1; i < nodes; i++) yield detectedBy(i, nodes);
      }
    },
    wrong: ({ n, leader, messages: { byType } }) =>
      leader?.id === n - 1 && byType.election === 0
        ? undefined
        : `${leader?.id} leads after ${byType.election} election messages`,
    confirmed: (runs) =>
      `the declared successor leads without an election message in ${formatFigure(runs)} elections, for every detector`,
  }),
]);

const ALL: readonly AnyAlgorithm[] = [bully, bullyIds, bullyGrant, bullySuccessor];

/** Random crashes and recoveries during the election; at the end, without further faults, a process detects them. */
function troubles(experiment: Experiment): Iterable<SimulateOptions> {
  const random = experiment.random('troubles');
  return numbered(experiment, experiment.some(200, 2000), (index) => {
    const nodes = 3 + random.below(5);
    const position = random.below(nodes);
    const time = random.below(24) / 4;
    const back = time + 1 + random.below(40) / 4;
    return {
      nodes,
      order: 'ascending',
      initiators: [random.below(nodes), { position: random.below(nodes), time: back + 40 }],
      crash: [{ position, time }],
      recover: [{ position, time: back }],
      schedule: ANY_SCHEDULE[index % 3],
      set: { timeout: 6 },
    };
  });
}

export const allBulliesRow: Row = {
  name: 'bullies',
  title: 'All bully variants under faults',
  studies: [
    ...ALL.map((algorithm) =>
      everyRunStudy(algorithm, {
        id: `bullies/${algorithm.name}-troubles`,
        origin: algorithm === bully ? stated([ROURKELA, 'lines 116, 193']) : ours(),
        says: `${algorithm.name} elects a leader although processes crash and recover at any point of the election`,
        method: 'share of runs',
        grid: troubles,
        confirmed: (runs) => `one leader at the end of all ${formatFigure(runs)} elections`,
      }),
    ),
    searchStudy(bully, {
      id: 'bullies/every-crash',
      origin: stated([ROURKELA, 'line 237']),
      says: 'bully elects one leader per term in every bounded-delay schedule, whenever a process crashes and recovers',
      search: { nodes: 3, order: 'ascending', crashes: 1, recoveries: 1 },
    }),
    twinStudy({
      id: 'bullies/timeout',
      origin: ours(),
      says: 'the timeout must be a whole round trip: with half of it two nodes lead',
      twin: 'bully-hasty',
    }),
    someRunsStudy(bully, {
      id: 'bullies/suspicion',
      origin: ours(),
      says: 'a timeout that is too short may give one term several leaders for a while',
      method: 'share of runs',
      grid: (experiment) =>
        numbered(experiment, experiment.some(300, 3000), () => ({
          ...detectedBy(1, 6),
          schedule: 'random',
          set: { timeout: 2 },
          despite: ['timing'],
        })),
      tests: [({ valid }) => !valid.uniqueness, ({ leader }) => leader?.id === 5],
      measured: (runs, several, settled) =>
        `in ${percent(several / runs)} of ${formatFigure(runs)} elections two nodes led the same term; in ${percent(settled / runs)} the largest leads at the end`,
      why: 'delays of 0.05 to 3 units and T = 2: round trips exceed the timeout, which violates the assumption',
    }),
    someRunsStudy(bully, {
      id: 'bullies/loss',
      origin: follows([ROURKELA, 'line 115']),
      says: 'messages must be delivered reliably: a lost message may leave processes without a coordinator',
      method: 'share of runs',
      grid: (experiment) =>
        numbered(experiment, experiment.some(300, 3000), () => ({
          nodes: 5,
          order: 'ascending',
          loss: 0.1,
          despite: ['loss'],
        })),
      tests: [({ valid }) => !Object.values(valid).every(Boolean)],
      measured: (runs, failed) =>
        `${percent(failed / runs)} of ${formatFigure(runs)} elections fail if one message in ten is lost`,
    }),
  ],
};
