import { describe, expect, it } from 'vitest';
import { timelineOf, windowScene } from '../../../src/drawing/index.ts';
import { crossed } from './faults.ts';
import { algorithmNamed, record } from './record.ts';

const { events, shown } = record(algorithmNamed('chang-roberts'), { nodes: 12 });
const timeline = timelineOf(events, shown);
const view = { width: 600, height: 400, text: 13, ids: shown.ids };

describe('a window of time', () => {
  it('shows the messages that are in flight within it, and no others', () => {
    const { strip } = windowScene(timeline, { ...view, from: 4, until: 7 });
    const within = events.flatMap((event, index) =>
      event.type === 'send' && event.time >= 4 && event.time < 7 ? [index] : [],
    );
    expect(strip.arrows.map(({ sending }) => sending)).toEqual(within);
    expect(within.length).toBeGreaterThan(3);
  });

  it('shows the marks of its own time, and places them by time', () => {
    const { strip, xOf } = windowScene(timeline, { ...view, from: 10, until: 14 });
    expect(strip.marks.map(({ kind }) => kind)).toContain('leader');
    for (const { at, event } of strip.marks) {
      expect(events[event].time).toBeGreaterThan(10);
      expect(at.x).toBeCloseTo(xOf(events[event].time), 6);
    }
  });

  it('gives the whole run if it is as long as the run, and no arrow crosses a label', () => {
    const { strip, texts } = windowScene(timeline, { ...view, from: 0, until: timeline.end });
    expect(strip.arrows).toHaveLength(events.filter(({ type }) => type === 'send').length);
    expect(
      crossed({ strips: [strip], texts, width: 600, height: 400, text: 13, legend: [], omitted: 0 }),
    ).toEqual([]);
    for (const { segments } of strip.arrows) {
      for (const { line } of segments) expect(line[1].x).toBeLessThanOrEqual(600);
    }
  });

  it('is cut from a run of 130,000 events', () => {
    const message = { type: 'token', id: 1 } as const;
    const long = Array.from({ length: 65_000 }, (_, time) => [
      { type: 'send', node: time % 2, to: 1 - (time % 2), port: 1, time, message } as const,
      {
        type: 'deliver',
        node: 1 - (time % 2),
        from: time % 2,
        port: 0,
        sent: time,
        time: time + 1,
        message,
      } as const,
    ]).flat();
    const { topology } = record(algorithmNamed('chang-roberts'), { nodes: 2 }).shown;
    const whole = timelineOf(long, { topology, announcements: [] });
    expect(whole.end).toBe(65_000);
    const { strip } = windowScene(whole, { ...view, ids: null, from: 40_000, until: 40_004 });
    expect(strip.arrows.map(({ sending }) => long[sending].time)).toEqual([40_000, 40_001, 40_002, 40_003]);
  });
});
