/** Divided as Shirali et al. print it: partitions, steps, and a crashed informer. */

import { formatFigure } from '@hustings/base';
import { divided, ringList } from '@hustings/study/algorithms';
import { type Study, study, verdictOf } from '../claim.ts';
import { stated } from '../origin.ts';
import { everyRunStudy, refutedBy, runStudy } from '../run-study.ts';
import { SHIRALI } from '../sources.ts';
import { collisions, division, divisions, latency, maxAtOnce } from './divisions.ts';

export const dividedStudies: readonly Study[] = [
  everyRunStudy(divided, {
    id: 'divided/partitions',
    origin: stated([SHIRALI, 'section 6, lines 222–226']),
    says: 'the m-th division makes u^m partitions of length L1/u^m each',
    method: 'exact count',
    grid: (experiment) =>
      [...divisions(experiment.some(32, 64))].map(({ n, u, depth }) => division(n, u, depth)),
    wrong({ n, messages: { byType } }, { options, experiment }) {
      const parts = Number(options.set?.u) ** Number(options.set?.depth);
      const starts = new Set<number>();
      experiment.run(divided, {
        ...options,
        observe: (event) => {
          if (event.type === 'send' && event.message.type === 'information') starts.add(event.node);
        },
      });
      if (byType.divide !== parts) return `${byType.divide} divide messages, not ${parts}`;
      const even = [...starts].every((place) => place % (n / parts) === 0);
      return even ? undefined : 'a partition of another length';
    },
    confirmed: (runs) => `u^m division points at distance L1/u^m in ${formatFigure(runs)} divisions`,
  }),
  runStudy(divided, {
    id: 'divided/partition-messages',
    origin: stated([SHIRALI, 'section 6, line 228']),
    says: 'u − 1 messages make u partitions',
    method: 'one run',
    options: () => division(64, 4, 1),
    finding: ({ messages: { byType } }) => ({
      holds: byType.divide === 3,
      measured: `${byType.divide} divide messages for u = 4; the source gives 3`,
    }),
    why: 'the informer is outside the ring and sends a message to each of the u points. A point that divides its own part needs only u − 1',
  }),
  study({
    id: 'divided/seven-steps',
    origin: stated([SHIRALI, 'section 6, lines 190–203']),
    says: 'from the moment the informer knows of the crash there are 7 steps: election, reply, divide, subrings, information, coordinator, subrings',
    method: 'one run',
    measure(experiment) {
      const steps = new Set<string>();
      const run = experiment.run(divided, {
        ...division(64, 4, 1),
        observe: (event) => {
          if (event.type !== 'send' || event.message.type === 'crash') return;
          const isRing = event.node !== 64 && event.to !== 64;
          steps.add(`${event.message.type} ${isRing ? 'on the ring' : 'by the informer’s links'}`);
        },
      });
      return {
        verdict: verdictOf(steps.size === 7),
        measured: `${steps.size}: ${[...steps].join(', ')}`,
        replay: run.plan.replay,
      };
    },
  }),
  study({
    id: 'divided/informer-down',
    origin: stated([SHIRALI, 'section 6, line 220']),
    says: 'without the informer the election runs as on the plain ring',
    method: 'exact count',
    measure(experiment) {
      let runs = 0;
      for (const { n, u, depth } of divisions(experiment.some(32, 64))) {
        const options = { ...division(n, u, depth), crash: [{ position: n, time: 0 }] };
        const run = experiment.run(divided, options);
        const { leader, messages, time } = run.outcome();
        const onRing = messages.byType.token + messages.byType.coordinator;
        runs++;
        if (leader?.id !== n || onRing !== 2 * n || time.announcementReturnedAt !== 2 * n) {
          return refutedBy(run, `${onRing} messages on the ring, back at ${time.announcementReturnedAt}`);
        }
      }
      return {
        verdict: 'confirmed',
        measured: `2n messages on the ring and latency 2n, as the ring algorithm, in ${formatFigure(runs)} divisions`,
      };
    },
  }),
  collisions('divided/collisions', 'section 6, line 218', divided, 'Divided'),
  study({
    id: 'divided/large-only',
    origin: stated([SHIRALI, 'section 6, line 218']),
    says: 'Divided is useful for rings with many nodes; otherwise collisions and the latency increase',
    method: 'exact count',
    measure(experiment) {
      const rows = [4, 6, 8, 16, 32].map((n) => {
        const own = maxAtOnce(experiment, divided, division(n, 2, 1));
        const ring = maxAtOnce(experiment, ringList, { nodes: n, initiators: [0], crash: 'none' });
        return { n, own, ring, times: [latency(own.run), latency(ring.run)] };
      });
      const isRight = rows.every(({ n, own, ring, times: [time, other] }) =>
        n < 8 ? time >= other && own.most > ring.most : time < other,
      );
      return {
        verdict: verdictOf(isRight),
        measured: `u = 2: latency ${rows.map(({ n, times: [time, other] }) => `${time} against ${other} of the ring at n = ${n}`).join(', ')}; ${rows[0].own.most} messages reach a node at one moment at n = 4, against ${rows[0].ring.most}`,
        why: 'interpreted as: than on the plain ring. With few nodes the messages to and from the informer take longer than the division saves',
        replay: rows[0].own.run.plan.replay,
      };
    },
  }),
  study({
    id: 'divided/backoff',
    origin: stated([SHIRALI, 'section 6, line 216']),
    says: 'a random wait before each send lets fewer messages collide',
    method: 'share of runs',
    measure(experiment) {
      const options = division(64, 4, 1);
      const together = maxAtOnce(experiment, divided, options);
      const runs = experiment.some(20, 100);
      let [most, replay] = [0, ''];
      for (let index = 0; index < runs; index++) {
        const found = maxAtOnce(experiment, divided, {
          ...options,
          schedule: 'random',
          seed: experiment.seedOf(index),
          set: { ...options.set, timeout: 6 },
        });
        most = Math.max(most, found.most);
        replay ||= found.run.plan.replay;
      }
      return {
        verdict: verdictOf(most < together.most),
        measured: `n = 64, u = 4: at most ${most} message reaches a node at one moment in ${runs} elections with random delays, ${together.most} if all delays are equal`,
        why: 'interpreted as: messages that arrive at one node at the same moment collide, and a random wait is a random delay. The source also expects better performance and proposes divisions of different lengths; a collision costs nothing in this model, so that is not judged',
        replay,
      };
    },
  }),
];
