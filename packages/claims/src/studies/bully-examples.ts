/** Bully as the slides and the paper describe it: who calls, who answers, how many messages, and when it never ends. */

import { formatFigure } from '@hustings/base';
import { bully } from '@hustings/study/algorithms';
import { resolveSetup, type Step, World } from '@hustings/study/driver';
import type { SimulateOptions } from '@hustings/study/simulator';
import { type Study, study, verdictOf } from '../claim.ts';
import { stated } from '../origin.ts';
import { ANY_SCHEDULE, numbered } from '../parameter-grid.ts';
import { everyRunStudy, failureOf, runStudy } from '../run-study.ts';
import { printedAlgorithm } from '../search.ts';
import { LECTURE_22, ROURKELA, SHIRALI } from '../sources.ts';

/** Process i of n detects the crash of n. */
function detectedBy(i: number, nodes: number): SimulateOptions {
  return { nodes, order: 'ascending', initiators: [i - 1] };
}

const callers: Study = study({
  id: 'bully/callers',
  origin: stated([ROURKELA, 'lines 215–217']),
  says: 'if the lowest process detects the crash, N−1 processes begin elections, and the i-th highest sends i−1 election messages',
  method: 'exact count',
  measure(experiment) {
    const most = experiment.some(24, 64);
    for (let n = 3; n <= most; n++) {
      const sent = new Map<number, number>();
      const run = experiment.run(bully, {
        ...detectedBy(1, n),
        observe: (event) => {
          if (event.type !== 'send' || event.message.type !== 'election') return;
          sent.set(event.node, (sent.get(event.node) ?? 0) + 1);
        },
      });
      const isRight = sent.size === n - 1 && [...sent].every(([at, count]) => count === n - 1 - at);
      if (!isRight)
        return { verdict: 'refuted', measured: `${sent.size} callers at n = ${n}`, replay: run.plan.replay };
    }
    return { verdict: 'confirmed', measured: `holds for every n from 3 to ${most}` };
  },
});

const example: Study = study({
  id: 'bully/example',
  origin: stated([ROURKELA, 'lines 180–191']),
  says: 'N80 fails and N6 detects it: N6 sends election messages to N12, N32 and N80, N12 and N32 answer, and N32 becomes the coordinator',
  method: 'one run',
  measure(experiment) {
    const ids = [6, 12, 32, 80];
    const [called, answered]: number[][] = [[], []];
    const run = experiment.run(bully, {
      ids,
      initiators: [0],
      observe: (event) => {
        if (event.type === 'send' && event.node === 0 && event.message.type === 'election')
          called.push(ids[event.to]);
        if (event.type === 'deliver' && event.node === 0 && event.message.type === 'answer')
          answered.push(ids[event.from]);
      },
    });
    const { leader } = run.outcome();
    const text = (list: readonly number[]): string => list.toSorted((one, other) => one - other).join(', ');
    return {
      verdict: verdictOf(text(called) === '12, 32, 80' && text(answered) === '12, 32' && leader?.id === 32),
      measured: `6 calls ${text(called)}; ${text(answered)} answer; ${leader?.id} leads`,
      replay: run.plan.replay,
    };
  },
});

/** Crashes of random processes before the start, and random detectors. */
const highest: Study = everyRunStudy(bully, {
  id: 'bully/highest',
  origin: stated([ROURKELA, 'lines 120, 126']),
  says: 'the process with the highest id among those that have not failed becomes the coordinator',
  method: 'share of runs',
  grid(experiment) {
    const random = experiment.random('highest');
    return numbered(experiment, experiment.some(150, 1500), (index) => {
      const nodes = 3 + random.below(8);
      const position = 1 + random.below(nodes - 1);
      return {
        nodes,
        order: 'ascending',
        initiators: [0],
        crash: [{ position, time: 0 }],
        schedule: ANY_SCHEDULE[index % 3],
        set: { timeout: 6 },
      };
    });
  },
  wrong: ({ n, leader }, { options }) => {
    const dead = Array.isArray(options.crash) ? options.crash[0].position : -1;
    const wanted = dead === n - 1 ? n - 1 : n;
    return leader?.id === wanted ? undefined : `${leader?.id} leads, not ${wanted}`;
  },
  confirmed: (runs) => `holds in ${formatFigure(runs)} elections in which one process has failed`,
});

const lastCaller: Study = study({
  id: 'bully/last-caller',
  origin: stated([LECTURE_22, 'line 246']),
  says: 'the latest caller of an election becomes the leader',
  method: 'share of runs',
  measure(experiment) {
    const runs = experiment.some(100, 1000);
    let [others, replay] = [0, ''];
    const grid = numbered(experiment, runs, () => ({
      ...detectedBy(1, 6),
      schedule: 'random' as const,
      set: { timeout: 6 },
    }));
    for (const options of grid) {
      const first = new Map<number, number>();
      const run = experiment.run(bully, {
        ...options,
        observe: (event) => {
          if (event.type === 'send' && event.message.type === 'election' && !first.has(event.node)) {
            first.set(event.node, event.time);
          }
        },
      });
      const [last] = [...first].toSorted(([, one], [, other]) => other - one)[0];
      if (last === run.outcome().leader?.position) continue;
      others++;
      if (replay === '') ({ replay } = run.plan);
    }
    return {
      verdict: verdictOf(others === 0),
      measured: `in ${others} of ${formatFigure(runs)} elections of 6 processes another process calls later than the winner`,
      why: 'true if the calls go up one by one. A process calls all larger ones at once, and a smaller one may be the last that the call reaches',
      ...(replay !== '' && { replay }),
    };
  },
});

const comesBack: Study = study({
  id: 'bully/comes-back',
  origin: stated([LECTURE_22, 'line 252'], [ROURKELA, 'line 128']),
  says: 'a process that recovers calls an election; if it has the highest id, 7, it becomes the coordinator again',
  method: 'one run',
  measure(experiment) {
    const back = 50;
    let called = false;
    const run = experiment.run(bully, {
      ...detectedBy(4, 7),
      crash: [{ position: 6, time: 0 }],
      recover: [{ position: 6, time: back }],
      observe: (event) => {
        if (event.type === 'send' && event.node === 6 && event.time >= back) called = true;
      },
    });
    const { leader } = run.outcome();
    return {
      verdict: verdictOf(called && leader?.id === 7),
      measured: `7 sends messages when it is back, and ${leader?.id} leads in the end`,
      replay: run.plan.replay,
    };
  },
});

const middle: Study[] = [
  runStudy(bully, {
    id: 'bully/middle',
    origin: stated([SHIRALI, 'section 2, lines 45–47']),
    says: 'if the middle process detects the crash, n + (n−2) + … + 2 election and OK messages are sent: 1,056 for n = 64',
    method: 'exact count',
    options: () => detectedBy(32, 64),
    finding: ({ messages: { byType } }) => ({
      holds: byType.election + byType.answer === 1056,
      measured: `${formatFigure(byType.election + byType.answer)} at n = 64: ${byType.election} election and ${byType.answer} answer messages`,
    }),
    why: 'the sum counts an OK for each election message, but the crashed coordinator sends none of its 32. If it had not crashed there would be 1,056 (--crash none)',
  }),
  runStudy(bully, {
    id: 'bully/five-steps',
    origin: stated([SHIRALI, 'section 2, lines 52–59']),
    says: 'the primary bully algorithm has five steps, and its latency is 5',
    method: 'one run',
    options: () => detectedBy(32, 64),
    finding: ({ time: { agreedAt } }) => ({
      holds: agreedAt === 5,
      measured: `${agreedAt} with a timeout of one round trip, T = 2`,
    }),
    why: 'a process that is called answers and calls the larger ones at the same moment: steps 2 and 3 are one, and 3 and 4 are the timeout',
  }),
];

/** When the run of the repeated calls is stopped. */
const UNTIL = 60;

const repeating: Study = study({
  id: 'bully/repeat',
  origin: stated([SHIRALI, 'section 2, line 42']),
  says: 'a process that has received an OK cannot be the coordinator; one that has received none repeats the steps: it calls again',
  method: 'one run',
  measure(experiment) {
    const [called, announced] = [new Map<number, number>(), new Set<number>()];
    const replay = failureOf(() =>
      experiment.outcome(printedAlgorithm('bully-repeating'), {
        ...detectedBy(1, 4),
        until: UNTIL,
        observe: (event) => {
          if (event.type !== 'send') return;
          if (event.message.type === 'coordinator') announced.add(event.node);
          if (event.message.type === 'election') called.set(event.node, (called.get(event.node) ?? 0) + 1);
        },
      }),
    );
    return {
      verdict: verdictOf(replay === undefined),
      measured: `n = 4, 4 has crashed: by time ${UNTIL} process 3 has called it ${called.get(2)} times, and ${announced.size} processes have announced themselves`,
      why: 'taken literally: the largest live process never receives an OK, so it repeats the call without end. The next step of the paper lets it announce itself',
      ...(replay !== undefined && { replay }),
    };
  },
});

/** How often the steps of the endless run are repeated. */
const ROUNDS = 200;

/** Fields and messages of a configuration, without the numbers of terms. */
function shapeOf({ configuration, machine }: World): string {
  const nodes = configuration.nodes.map((_, at) => ({ ...machine.fieldsOf(at), term: 0 }));
  const messages = configuration.messages.map(({ from, to, message }) => [from, to, message.type]);
  return JSON.stringify([nodes, messages]);
}

/**
 * Process 3 has crashed. In each round process 1 calls and 2 answers. Then 2 becomes the leader, but the timer of 1 expires
 * before the announcement arrives, and 1 calls again, in a newer term. Every message arrives and every timer fires.
 */
const endless: Study = study({
  id: 'bully/asynchronous',
  origin: stated([ROURKELA, 'lines 233–235']),
  says: 'without bounds on delays it can go on without end, because it relies on timeouts',
  method: 'one run',
  measure() {
    const world = new World(resolveSetup(bully, { ids: [1, 2, 3] }), {
      initiators: [0],
      timing: 'asynchronous',
    });
    const take = (wanted: Partial<Step>): void => {
      const [step] = world
        .enabled()
        .filter((each) =>
          Object.entries(wanted).every(([key, value]) =>
            String(each[key as keyof Step]).startsWith(String(value)),
          ),
        );
      if (step === undefined) throw new RangeError(`no step ${JSON.stringify(wanted)} is enabled`);
      world.apply(step);
    };
    /** Delivers all messages between these nodes. */
    const deliverAll = (from: number, to: number): void => {
      while (world.configuration.messages.some((each) => each.from === from && each.to === to)) {
        take({ type: 'deliver', from, to } as Partial<Step>);
      }
    };
    take({ type: 'start', node: 0 } as Partial<Step>);
    const shapes = new Set<string>();
    let [undecided, leaders] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      deliverAll(0, 1);
      deliverAll(1, 0);
      take({ type: 'timer', node: 1 } as Partial<Step>);
      take({ type: 'timer', node: 0 } as Partial<Step>);
      deliverAll(1, 0);
      deliverAll(0, 2);
      deliverAll(1, 2);
      if (round > 0) shapes.add(shapeOf(world));
      if (world.machine.decisions.read(0) === null) undecided++;
      if (world.machine.decisions.read(1)?.role === 'leader') leaders++;
    }
    return {
      verdict: verdictOf(shapes.size === 1 && undecided === ROUNDS),
      measured: `process 1 has not decided after ${undecided} of ${ROUNDS} rounds; from the second round on the configuration recurs, with larger terms (${shapes.size} shape, 2 leads ${leaders} times)`,
      why: 'in each round the announcement of 2 arrives after the timer of 1 has expired, and 1 has called a newer election',
    };
  },
});

export const bullyStudies: readonly Study[] = [
  callers,
  example,
  highest,
  lastCaller,
  comesBack,
  ...middle,
  repeating,
  endless,
];
