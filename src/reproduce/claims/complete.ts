/** Complete networks with crashes: bully and its variants. Processes are 1 to n, n has crashed, and i detects it. */
import { bully } from '../../algorithms/complete/bully.ts';
import { bullyGrant } from '../../algorithms/complete/bully-grant.ts';
import { bullyIds } from '../../algorithms/complete/bully-ids.ts';
import { bullySuccessor } from '../../algorithms/complete/bully-successor.ts';
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { formatFigure } from '../../kernel/law-text.ts';
import type { SimulateOptions } from '../../simulator/options.ts';
import { type Finding, outOfScope, type Row, study, verdictOf } from '../claim.ts';
import type { Experiment } from '../experiment.ts';
import { lawStudy, percent } from '../law-study.ts';
import { searchStudy, twinStudy } from '../search.ts';
import { ROURKELA, SHIRALI } from '../sources.ts';

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

/** The time at which all nodes have decided if i detects the crash. */
function agreedAt(
  experiment: Experiment,
  i: number,
  n: number,
  timeout: number,
): Finding & { readonly time: number | null } {
  const run = experiment.run(bully, { nodes: n, order: 'ascending', initiators: [i - 1], set: { timeout } });
  const { time } = run.outcome();
  return { verdict: 'confirmed', measured: '', replay: run.plan.replay, time: time.agreedAt };
}

export const bullyRow: Row = {
  name: 'bully',
  title: bully.title,
  studies: [
    lawStudy(bully, { source: `H. Garcia-Molina 1982; ${ROURKELA}`, grid: detectors }),
    study(
      {
        id: 'bully/worst',
        source: ROURKELA,
        says: 'in the worst case the lowest id detects the crash, and (N−1)·N/2 election messages are sent',
        method: 'exact count',
      },
      (experiment) => {
        const n = experiment.some(64, 256);
        const run = experiment.run(bully, { nodes: n, order: 'ascending', initiators: [0] });
        const { election } = run.outcome().messages.byType;
        return {
          verdict: verdictOf(election === ((n - 1) * n) / 2),
          measured: `${formatFigure(election)} at n = ${n}`,
          replay: run.plan.replay,
        };
      },
    ),
    study(
      {
        id: 'bully/five',
        source: ROURKELA,
        says: 'in the worst case an election takes 5 message transmission times',
        method: 'one run',
      },
      (experiment) => {
        const { time, replay = '' } = agreedAt(experiment, 1, 16, 2);
        const longer = agreedAt(experiment, 1, 16, 3).time;
        return {
          verdict: verdictOf(time === 5),
          measured: `${time} with a timeout of one round trip, T = 2`,
          why: `the answer to the lowest process and the next election message are sent at the same moment, and the source counts them as two steps; the time is T + 2, and ${longer} with T = 3`,
          replay,
        };
      },
    ),
    study(
      {
        id: 'bully/best',
        source: ROURKELA,
        says: 'in the best case the second highest process detects the crash: N−2 coordinator messages and 1 message transmission time',
        method: 'one run',
      },
      (experiment) => {
        const n = 16;
        const { time, replay = '' } = agreedAt(experiment, n - 1, n, 2);
        const { announcement } = experiment.outcome(bully, {
          nodes: n,
          order: 'ascending',
          initiators: [n - 2],
        }).messages;
        return {
          verdict: verdictOf(time === 1 && announcement === n - 2),
          measured: `${announcement} coordinator messages at n = ${n}, and all nodes have decided at ${time}`,
          why: 'the count is correct; the time omits that the process first asks the highest and waits T = 2 for an answer. With a declared successor it is 1',
          replay,
        };
      },
    ),
    study(
      {
        id: 'bully/recovered',
        source: ROURKELA,
        says: 'a recovered highest process takes over immediately: n−1 coordinator messages, time 1',
        method: 'exact count',
      },
      (experiment) => {
        const n = 16;
        const back = 100;
        let announced = 0;
        let last = 0;
        const run = experiment.run(bully, {
          nodes: n,
          order: 'ascending',
          initiators: [0],
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
    ),
    outOfScope(
      {
        id: 'bully/asynchronous',
        source: ROURKELA,
        says: 'in an asynchronous system it may never terminate',
      },
      'finite runs cannot show an infinite one; the effect of a wrong suspicion is shown below',
    ),
  ],
};

export const bullyIdsRow: Row = {
  name: 'bully-ids',
  title: bullyIds.title,
  studies: [
    lawStudy(bullyIds, { source: `${SHIRALI}, section 2.1`, grid: detectors }),
    study(
      {
        id: 'bully-ids/linear',
        source: `${SHIRALI}, section 2.1`,
        says: 'about 2n messages and 3 steps if the middle process detects the crash',
        method: 'one run',
      },
      (experiment) => {
        const n = 1024;
        const run = experiment.run(bullyIds, { nodes: n, order: 'ascending', initiators: [n / 2 - 1] });
        const { messages, time } = run.outcome();
        return {
          verdict: verdictOf(messages.total <= 2 * n && messages.total >= 2 * n - 4 && time.agreedAt === 3),
          measured: `${formatFigure(messages.total)} messages at n = ${formatFigure(n)}, time ${time.agreedAt}`,
          replay: run.plan.replay,
        };
      },
    ),
  ],
};

export const bullyGrantRow: Row = {
  name: 'bully-grant',
  title: bullyGrant.title,
  studies: [
    lawStudy(bullyGrant, { source: `Kordafshari et al. 2005; ${ROURKELA}`, grid: detectors }),
    study(
      {
        id: 'bully-grant/square',
        source: ROURKELA,
        says: 'better than bully, but also of order n² in the worst case',
        method: 'one run',
      },
      (experiment) => {
        const [n, initiators] = [128, Array.from({ length: 127 }, (_, position) => position)];
        const run = experiment.run(bullyGrant, { nodes: n, order: 'ascending', initiators });
        const { total } = run.outcome().messages;
        const alone = experiment.outcome(bullyGrant, { nodes: n, order: 'ascending', initiators: [0] })
          .messages.total;
        return {
          verdict: verdictOf(total > (n * n) / 2 && alone < 4 * n),
          measured: `${formatFigure(total)} messages at n = ${n} if all processes detect the crash at once, ${formatFigure(alone)} if only the lowest does`,
          replay: run.plan.replay,
        };
      },
    ),
  ],
};

export const bullySuccessorRow: Row = {
  name: 'bully-successor',
  title: bullySuccessor.title,
  studies: [lawStudy(bullySuccessor, { source: `Arghavani et al. 2011; ${ROURKELA}`, grid: detectors })],
};

const ALL: readonly AnyAlgorithm[] = [bully, bullyIds, bullyGrant, bullySuccessor];

/** Random crashes and recoveries during the election; at the end, without further faults, a process detects them. */
function* troubles(experiment: Experiment, runs: number): Generator<SimulateOptions> {
  const random = experiment.random('troubles');
  for (let index = 0; index < runs; index++) {
    const nodes = 3 + random.below(5);
    const down = random.below(nodes);
    const time = random.below(24) / 4;
    const away = 1 + random.below(40) / 4;
    const over = time + away + 40;
    yield {
      nodes,
      seed: experiment.seedOf(index),
      order: 'ascending',
      initiators: [random.below(nodes), { position: random.below(nodes), time: over }],
      crash: [{ position: down, time }],
      recover: [{ position: down, time: time + away }],
      schedule: (['lockstep', 'random', 'random:nofifo'] as const)[index % 3],
      set: { timeout: 6 },
    };
  }
}

export const allBulliesRow: Row = {
  name: 'bullies',
  title: 'All bully variants under faults',
  studies: [
    ...ALL.map((algorithm) =>
      study(
        {
          id: `bullies/${algorithm.name}-troubles`,
          source: ROURKELA,
          says: `${algorithm.name} elects a leader although processes crash and recover at any point of the election`,
          method: 'share of runs',
        },
        (experiment) => {
          const runs = experiment.some(200, 2000);
          // Throws unless all live nodes agree on one leader at the end.
          for (const options of troubles(experiment, runs)) experiment.outcome(algorithm, options);
          return {
            verdict: 'confirmed',
            measured: `one leader at the end of all ${formatFigure(runs)} elections`,
          };
        },
      ),
    ),
    searchStudy(
      {
        id: 'bullies/every-crash',
        source: ROURKELA,
        says: 'bully elects one leader per term in every bounded-delay schedule, whenever a process crashes and recovers',
      },
      bully,
      { nodes: 3, order: 'ascending', crashes: 1, recoveries: 1 },
    ),
    twinStudy(
      {
        id: 'bullies/timeout',
        source: 'observed here',
        says: 'the timeout must be a whole round trip: with half of it two nodes lead',
      },
      'bully-hasty',
    ),
    study(
      {
        id: 'bullies/suspicion',
        source: 'observed here',
        says: 'a timeout that is too short may give one term several leaders for a while',
        method: 'share of runs',
      },
      (experiment) => {
        const runs = experiment.some(300, 3000);
        let several = 0;
        let settled = 0;
        let replay: string | undefined;
        for (let index = 0; index < runs; index++) {
          const run = experiment.run(bully, {
            nodes: 6,
            order: 'ascending',
            initiators: [0],
            schedule: 'random',
            seed: experiment.seedOf(index),
            set: { timeout: 2 },
            despite: ['timing'],
          });
          const { leader, valid } = run.outcome();
          if (!valid.uniqueness) {
            several++;
            replay ??= run.plan.replay;
          }
          if (leader?.id === 5) settled++;
        }
        return {
          verdict: verdictOf(several > 0),
          measured: `in ${percent(several / runs)} of ${formatFigure(runs)} elections two nodes led the same term; in ${percent(settled / runs)} the largest leads at the end`,
          why: 'delays of 0.05 to 3 units and T = 2: round trips exceed the timeout, which violates the assumption',
          ...(replay !== undefined && { replay }),
        };
      },
    ),
    study(
      {
        id: 'bullies/loss',
        source: ROURKELA,
        says: 'messages must be delivered reliably: a lost message may leave processes without a coordinator',
        method: 'share of runs',
      },
      (experiment) => {
        const runs = experiment.some(300, 3000);
        let wrong = 0;
        let replay: string | undefined;
        for (let index = 0; index < runs; index++) {
          const run = experiment.run(bully, {
            nodes: 5,
            order: 'ascending',
            seed: experiment.seedOf(index),
            loss: 0.1,
            despite: ['loss'],
          });
          if (Object.values(run.outcome().valid).every(Boolean)) continue;
          wrong++;
          replay ??= run.plan.replay;
        }
        return {
          verdict: verdictOf(wrong > 0),
          measured: `${percent(wrong / runs)} of ${formatFigure(runs)} elections fail if one message in ten is lost`,
          ...(replay !== undefined && { replay }),
        };
      },
    ),
  ],
};
