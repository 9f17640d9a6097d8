/** Upkeep: messages that belong neither to the election nor to its announcement. */
import { describe, expect, test } from 'vitest';
import { lawTable } from '../../src/cli/report/law-table.ts';
import { spaceTimeDiagram } from '../../src/drawing/index.ts';
import { announcement, counter, id, message, upkeep } from '../../src/kernel/index.ts';
import { Run, simulate, type TraceEvent } from '../../src/simulator/index.ts';
import { type Ctx, testAlgorithm } from './test-algorithm.ts';

const messages = {
  elected: announcement(['id', id()]),
  beat: upkeep(['left', counter(3)]),
  token: message(['id', id()]),
};

/** A token travels around the ring, then the announcement; each beat is forwarded over three links. */
const beating = (kinds: Partial<typeof messages> = messages) =>
  testAlgorithm({
    assumes: { network: 'one-way ring' },
    messages: kinds as typeof messages,
    onStart: (_state, ctx) => {
      ctx.send(1, 'token', ctx.id);
      if ('beat' in kinds) ctx.send(1, 'beat', 3);
    },
    on: {
      token: (_state, _port, { id }, ctx: Ctx) => {
        if (id > ctx.id) ctx.forward(1);
        else if (id === ctx.id) {
          ctx.decide('leader');
          ctx.send(1, 'elected', id);
        }
      },
      beat: (_state, _port, { left }, ctx: Ctx) => {
        if (left > 1) ctx.send(1, 'beat', left - 1);
      },
      elected: (_state, _port, { id }, ctx: Ctx) => {
        if (id === ctx.id) return;
        ctx.decide('follower', id);
        ctx.forward(1);
      },
    },
  });

describe('upkeep', () => {
  test('is counted in the total and by type, but neither as election nor as announcement', () => {
    for (const observe of [undefined, () => undefined]) {
      const { messages } = simulate(beating(), { ids: [1, 2, 3, 4], observe });
      expect(messages).toEqual({
        total: 7 + 12 + 4,
        election: 7,
        announcement: 4,
        upkeep: 12,
        byType: { token: 7, beat: 12, elected: 4 },
      });
    }
  });

  test('is not reported for an algorithm without upkeep', () => {
    const { token, elected } = messages;
    expect(simulate(beating({ token, elected }), { ids: [1, 2, 3, 4] }).messages).not.toHaveProperty(
      'upkeep',
    );
  });

  test('has a line of its own in the summary, and laws of its own', () => {
    const outcome = simulate(beating(), { ids: [1, 2, 3, 4] });
    const law = { measure: 'upkeep', kind: 'exact', formula: '3n', value: () => 12 } as const;
    const screen = { width: 90, paint: (_tone: unknown, text: string) => text };
    const lines = lawTable(outcome, [{ law, value: 12 }], screen as never);
    expect(lines.find((line) => line.includes('upkeep'))).toMatch(/upkeep messages\s+12\s+3n = 12\s+✓/);
  });

  test('is drawn dotted, and the legend says so', () => {
    const events: TraceEvent[] = [];
    const run = new Run(beating(), { ids: [1, 2, 3, 4], observe: (event) => events.push(event) });
    while (!run.advance());
    const { topology, ids } = run.plan;
    const shown = { title: 'beats', subtitle: '', topology, ids, announcements: ['elected'] };
    const drawn = spaceTimeDiagram(events, { ...shown, upkeep: ['beat'] });
    expect(drawn).toContain('>beat (left), upkeep<');
    expect(drawn.split('stroke-dasharray="1.6 4"')).toHaveLength(1 + 12 + 3 + 1); // three wrapped lines, and the legend
    expect(spaceTimeDiagram(events, shown)).not.toContain('upkeep<');
  });

  test('does not count as an announcement of the leader', () => {
    const { time } = simulate(beating(), { ids: [1, 2, 3, 4] });
    expect([time.electedAt, time.announcementReturnedAt]).toEqual([4, 8]);
  });
});
