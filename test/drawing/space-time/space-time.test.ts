import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/algorithms/index.ts';
import { flightsOf } from '../../../src/drawing/space-time/flights.ts';
import { lifelinesOf } from '../../../src/drawing/space-time/lifelines.ts';
import { drawSpaceTime } from '../../../src/drawing/space-time/space-time.ts';
import { escapeText } from '../../../src/drawing/svg.ts';
import { overlap } from '../../../src/drawing/text-box.ts';
import { InputError } from '../../../src/kernel/index.ts';
import { Run, type SimulateOptions, type TraceEvent } from '../../../src/simulator/index.ts';

function record(name: string, options: SimulateOptions) {
  const algorithm = registry.find((each) => each.name === name);
  if (algorithm === undefined) throw new Error(`no ${name}`);
  const events: TraceEvent[] = [];
  const run = new Run(algorithm, { ...options, observe: (event) => events.push(event) });
  while (!run.advance());
  const outcome = run.outcome();
  const { topology, ids } = run.plan;
  const announcements = Object.keys(algorithm.messages).filter((type) => algorithm.messages[type].announces);
  const leader = outcome.leader?.position ?? null;
  const shown = { title: algorithm.title, subtitle: 'a run', topology, ids, leader, announcements };
  return { events, topology, shown };
}

function draw(name: string, options: SimulateOptions) {
  const { events, shown } = record(name, options);
  return { events, ...drawSpaceTime(events, shown) };
}

const faulty = { despite: ['loss', 'duplication', 'crash', 'recover'], loss: 0.1, duplicate: 0.2 };
const runs: readonly [name: string, about: string, options: SimulateOptions][] = [
  ['chang-roberts', 'eight in lockstep', { nodes: 8 }],
  ['chang-roberts', 'one', { nodes: 1 }],
  ['chang-roberts', 'two', { nodes: 2 }],
  ['chang-roberts', 'six with random delays', { nodes: 6, schedule: 'random', seed: 3 }],
  ['chang-roberts', 'sixty-four', { nodes: 64 }],
  ['chang-roberts', 'descending', { nodes: 40, order: 'descending' }],
  ['chang-roberts', 'large ids', { ids: [2147483647, 2147483646, 1, 2000000000] }],
  ['chang-roberts', 'with everything wrong', { nodes: 9, schedule: 'random', seed: 5, ...faulty }],
  ['chang-roberts', 'cut short', { nodes: 8, until: 5.5, despite: ['termination'], schedule: 'random' }],
  ['hirschberg-sinclair', 'sixteen in lockstep', { nodes: 16 }],
  ['hirschberg-sinclair', 'eight with random delays', { nodes: 8, schedule: 'random' }],
  ['peterson', 'twelve', { nodes: 12 }],
  ['echo-election', 'ten on a graph', { nodes: 10 }],
  ['bully', 'six, all notice', { nodes: 6 }],
  ['bully', 'sixteen, all notice', { nodes: 16 }],
  [
    'bully',
    'a crash and a recovery in the middle',
    {
      nodes: 6,
      order: 'ascending',
      initiators: [0],
      crash: [
        { position: 5, time: 0 },
        { position: 4, time: 2.5 },
      ],
      recover: [{ position: 5, time: 12 }],
    },
  ],
];

describe('a space-time diagram', () => {
  it.each(runs)('%s, %s: no two texts overlap, and each lies within the sheet', (name, _, options) => {
    const { texts, svg } = draw(name, options);
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
    const wrong = texts.flatMap(({ text, box }, index) => {
      const isOutside = box.x < 0 || box.y < 0 || box.x + box.width > Number(width);
      const below = box.y + box.height > Number(height);
      const hits = texts.slice(index + 1).filter((other) => overlap(box, other.box));
      return [
        ...(isOutside || below ? [`'${text}' is cut`] : []),
        ...hits.map((hit) => `'${text}' hits '${hit.text}'`),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it.each(runs)('%s, %s: every omitted label is counted', (name, _, options) => {
    const { texts, omitted, svg, events } = draw(name, options);
    const sent = events.filter(({ type }) => type === 'send').length;
    // Only labels have halos; a wrapped line may have two, and marks have their own.
    const labels = texts.filter(({ halo }) => halo !== undefined).length;
    expect(labels + omitted).toBeGreaterThanOrEqual(sent);
    expect(/(\d+) labels? left out/.exec(svg)?.[1] ?? '0').toBe(String(omitted));
  });

  it('of eight in lockstep omits no label and shows every token in full', () => {
    const diagram = draw('chang-roberts', { nodes: 8 });
    expect(diagram.omitted).toBe(0);
    expect(diagram.texts.filter(({ text }) => text === 'token 8')).toHaveLength(9);
    expect(diagram.texts.filter(({ text }) => text === 'elected 8')).toHaveLength(9);
  });

  it('is well-formed, has a title for screen readers, and is the same every time', () => {
    const { events, shown } = record('bully', { nodes: 6 });
    const diagram = drawSpaceTime(events, shown);
    expect(diagram.svg).toMatch(/^<svg [^<]+>\n<title>Bully: a run<\/title>/);
    const opened = diagram.svg.match(/<[a-z]+[^>]*[^/]>/g)?.length;
    expect(diagram.svg.match(/<\/[a-z]+>/g)).toHaveLength(opened ?? 0);
    expect(drawSpaceTime(events, shown).svg).toBe(diagram.svg);
  });

  it('escapes special characters in names', () => {
    const { events, shown } = record('chang-roberts', { nodes: 2 });
    const { svg } = drawSpaceTime(events, { ...shown, title: `<b> & "c" 'd' \u0007` });
    expect(svg).toContain('&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; \ufffd</text>');
    expect(svg).not.toContain('<b>');
    expect(escapeText('a<b')).toBe('a&lt;b');
  });

  it('explains the signs that occur, and no others', () => {
    const ring = draw('chang-roberts', { nodes: 4 }).svg;
    expect(ring).toContain('>decides: leader<');
    expect(ring).not.toContain('>crashes<');
    const crashed = draw('bully', { nodes: 4 }).svg;
    for (const text of ['crashes', 'message is lost', 'timer fires', 'announcement']) {
      expect(crashed).toContain(`>${text}<`);
    }
  });

  it('says whether the vertical axis is time or steps', () => {
    const { events, shown } = record('chang-roberts', { nodes: 3 });
    const titles = (axis?: 'step') => drawSpaceTime(events, { ...shown, axis }).texts.map(({ text }) => text);
    expect(titles()).toContain('time');
    expect(titles('step')).toContain('step');
    expect(titles('step')).not.toContain('time');
  });

  it('refuses more nodes or messages than fit, and says what to reduce', () => {
    const { events, shown } = record('chang-roberts', { nodes: 64, order: 'descending' });
    expect(() => drawSpaceTime(events, shown)).toThrow(InputError);
    expect(() => drawSpaceTime(events, shown)).toThrow('at most 2000 messages: take fewer nodes');
    const { shown: wide } = record('chang-roberts', { nodes: 65, initiators: [0] });
    expect(() => drawSpaceTime([], wide)).toThrow('at most 64 nodes, not 65');
  });
});

describe('the messages of a run', () => {
  it.each([
    ['a ring', 'hirschberg-sinclair'],
    ['a ring that its nodes take for any graph', 'echo-election'],
  ])('arrive as often as they are sent, and wrap only at the ends of %s', (_, name) => {
    const { events, topology } = record(name, { nodes: 5, topology: 'ring' });
    const flights = flightsOf(events, topology);
    expect(flights).toHaveLength(events.filter(({ type }) => type === 'send').length);
    for (const { from, to, wraps } of flights) {
      expect(wraps).toBe(from === 4 && to === 0 ? 1 : from === 0 && to === 4 ? -1 : 0);
    }
  });

  it('are straight lines between two nodes of a graph', () => {
    const { events, topology } = record('echo-election', { nodes: 2, topology: 'ring' });
    expect(new Set(flightsOf(events, topology).map(({ wraps }) => wraps))).toEqual(new Set([0]));
  });

  it('wrap on a ring of one, and in both directions on a ring of two', () => {
    const one = record('chang-roberts', { nodes: 1 });
    expect(flightsOf(one.events, one.topology).map(({ wraps }) => wraps)).toEqual([1, 1]);
    const two = record('hirschberg-sinclair', { nodes: 2 });
    expect(new Set(flightsOf(two.events, two.topology).map(({ wraps }) => wraps))).toEqual(
      new Set([1, 0, -1]),
    );
  });

  it('are lost, duplicated or still in flight as in the trace', () => {
    const { events, topology } = record('chang-roberts', {
      ...{ nodes: 9, schedule: 'random', seed: 5 },
      ...faulty,
      loss: 0.3,
      crash: [{ position: 3, time: 1 }],
    });
    const flights = flightsOf(events, topology);
    const count = (fate: string) => flights.filter((flight) => flight.fate === fate).length;
    const traced = (kind: string) => events.filter((event) => event.type === kind).length;
    expect(count('delivered')).toBe(traced('deliver'));
    expect(count('receiver dead') + count('link lossy')).toBe(traced('lost'));
    expect(count('receiver dead')).toBeGreaterThan(0);
    expect(count('link lossy')).toBeGreaterThan(0);
  });
});

describe('the line of a node', () => {
  it('shows it as not started until its start, and as crashed between a crash and a recovery', () => {
    const events: TraceEvent[] = [
      { time: 0, node: 0, type: 'start' },
      { time: 2, node: 1, type: 'deliver', from: 0, port: 0, sent: 0, message: { type: 'token' } },
      { time: 3, node: 1, type: 'crash' },
      { time: 5, node: 1, type: 'recover' },
    ];
    expect(lifelinesOf(events, 2, 6)).toEqual([
      [{ state: 'awake', from: 0, until: 6 }],
      [
        { state: 'asleep', from: 0, until: 2 },
        { state: 'awake', from: 2, until: 3 },
        { state: 'dead', from: 3, until: 5 },
        { state: 'awake', from: 5, until: 6 },
      ],
    ]);
  });
});
