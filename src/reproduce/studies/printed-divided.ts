/** Divided as Shirali et al. print it: partitions, steps, and a crashed informer. */
import { divided } from '../../algorithms/ring/divided.ts';
import { formatFigure } from '../../kernel/law-text.ts';
import { type Study, study, verdictOf } from '../claim.ts';
import { stated } from '../origin.ts';
import { everyRunStudy, refutedBy, runStudy } from '../run-study.ts';
import { SHIRALI } from '../sources.ts';
import { collisions, division, divisions } from './divisions.ts';

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
];
