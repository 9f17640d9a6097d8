import { describe, expect, it } from 'vitest';
import { DEFAULT_STYLE, PALETTES, spaceTimeDiagram } from '../../../src/drawing/index.ts';
import { lifelinesOf } from '../../../src/drawing/space-time/lifelines.ts';
import { drawSpaceTime } from '../../../src/drawing/space-time/space-time.ts';
import { escapeText } from '../../../src/drawing/svg.ts';
import { flightsOf } from '../../../src/drawing/trace/flights.ts';
import { InputError } from '../../../src/kernel/index.ts';
import type { SimulateOptions, TraceEvent } from '../../../src/simulator/index.ts';
import { faultsOf } from './faults.ts';
import { algorithmNamed, draw, record } from './record.ts';

const faulty = { despite: ['loss', 'duplication', 'crash', 'recover'], loss: 0.1, duplicate: 0.2 };
const runs: readonly [name: string, about: string, options: SimulateOptions][] = [
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
  ['echo-election', 'ten on a graph', { nodes: 10 }],
  ['raft', 'five with random delays', { nodes: 5, schedule: 'random' }],
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
  it.each(runs)('%s, %s: no label is crossed, no texts overlap, nothing is cut', (name, _, options) => {
    expect(faultsOf(draw(name, options).scene)).toEqual([]);
  });

  it('refers to the events that it shows', () => {
    const { arrows, events, marks } = draw('bully', { nodes: 5 });
    for (const { ending, sending } of arrows) {
      expect(events[sending].type).toBe('send');
      if (ending !== null) expect(['deliver', 'lost']).toContain(events[ending].type);
    }
    for (const { event, kind, node } of marks) {
      expect(events[event].node).toBe(node);
      const isDecision = kind === 'leader' || kind === 'follower';
      expect(events[event].type).toBe(isDecision ? 'decide' : kind);
    }
  });

  it('runs to the right: every arrow of a run without faults ends to the right of its start', () => {
    const { arrows } = draw('hirschberg-sinclair');
    const segments = arrows.flatMap((arrow) => arrow.segments.map(({ line }) => line));
    expect(segments.filter(([a, b]) => b.x <= a.x)).toEqual([]);
    expect(segments.length).toBeGreaterThan(97);
  });

  it('lets a clockwise message leave a ring at the bottom and enter it at the top', () => {
    const { scene } = draw('chang-roberts', { ids: [3, 4, 6, 5, 7, 2, 1, 8] });
    const [strip] = scene.strips;
    const across = strip.arrows.filter(({ segments }) => segments.length === 2);
    // Token 8 once, and the announcement of 8 once.
    expect(across).toHaveLength(2);
    for (const { segments } of across) {
      const [out, back] = segments;
      expect(out.line[1].y).toBeCloseTo(strip.y + strip.height, 6);
      expect(back.line[0].y).toBeCloseTo(strip.y, 6);
      expect(back.line[0].x).toBeCloseTo(out.line[1].x, 6);
      expect(out.end).toBe('cut');
    }
  });

  it('has the rows of a ring in ring order, and those of a complete network by id, the highest on top', () => {
    const names = (name: string, options: SimulateOptions) =>
      draw(name, options)
        .scene.texts.filter(({ role }) => role === 'name')
        .sort((a, b) => a.y - b.y)
        .map(({ text }) => Number(text));
    expect(names('chang-roberts', { ids: [3, 1, 2] })).toEqual([3, 1, 2]);
    expect(names('bully', { ids: [3, 1, 4, 2] })).toEqual([4, 3, 2, 1]);
  });

  it('marks the tokens that a larger id swallows, and the row of the leader from its election on', () => {
    const { arrows, bands, marks, scene } = draw('chang-roberts', { ids: [3, 4, 6, 5, 7, 2, 1, 8] });
    const bars = arrows.filter(({ segments }) => segments.at(-1)?.end === 'bar');
    // Seven tokens, and the announcement that returns.
    expect(bars).toHaveLength(8);
    const leader = marks.find(({ kind }) => kind === 'leader');
    const [gold] = bands.filter(({ type }) => type === 'leader');
    expect(gold.x).toBe(leader?.at.x);
    expect(gold.x + gold.width).toBe(scene.strips[0].x + scene.strips[0].width);
  });

  it('does not call a message swallowed that changes only the state, or if the trace has no states', () => {
    const ends = (name: string) =>
      draw(name, { nodes: 5 }).arrows.map(({ segments }) => segments.at(-1)?.end);
    // LeLann collects every id.
    expect(ends('lelann').filter((end) => end === 'bar')).toHaveLength(1);
    const { events, shown } = record(algorithmNamed('chang-roberts'), { nodes: 5 });
    const silent = events.filter(({ type }) => type !== 'state');
    const [{ arrows }] = drawSpaceTime(silent, shown).strips;
    expect(arrows.filter(({ segments }) => segments.at(-1)?.end === 'bar')).toEqual([]);
  });

  it('marks where a node turns passive, and makes its head a square', () => {
    const { events, marks, scene, shown } = draw('peterson', { nodes: 6 });
    const turned = marks.filter(({ kind }) => kind === 'passive');
    expect(turned.length).toBeGreaterThan(3);
    for (const { event, node } of turned) {
      const states = events
        .slice(0, event + 1)
        .flatMap((each) =>
          each.type === 'state' && each.node === node ? [shown.appearance?.(each.state)] : [],
        );
      expect(states.slice(-2)).toMatchObject([{ passive: false }, { passive: true }]);
    }
    const squares = scene.strips[0].heads.filter(({ state }) => state === 'passive');
    // A relay of Peterson may still become the leader: the largest id may win at another node.
    const leader = marks.find(({ kind }) => kind === 'leader')?.node;
    const relays = turned.map(({ node }) => node).filter((node) => node !== leader);
    expect(squares.map(({ node }) => node).sort()).toEqual(relays.sort());
  });

  it('has a band for each phase, from the first node that enters it', () => {
    const { bands, legend, scene } = draw('itai-rodeh-bounded');
    const phases = bands.filter(({ type }) => type.startsWith('phase'));
    expect(phases.map(({ type }) => type)).toEqual(['phase', 'phase, odd']);
    expect(phases[1].x).toBeCloseTo(phases[0].x + phases[0].width, 6);
    expect(scene.texts.filter(({ role }) => role === 'band').map(({ text }) => text)).toEqual([
      'round 1',
      'round 2',
    ]);
    expect(legend).toContain('round, from the first node that enters it');
    expect(draw('tree-election', { nodes: 6, initiators: [0] }).legend).toContain(
      'phase, from the first node that enters it',
    );
  });

  it.each(['itai-rodeh-bounded', 'peterson', 'hirschberg-sinclair'])(
    '%s names every band, or writes the noun before the numbers',
    (name) => {
      let numbered = 0;
      for (const seed of [1, 2, 3, 4, 5, 6]) {
        const { scene } = draw(name, { nodes: 8, schedule: 'random', seed });
        const labels = scene.texts.filter(({ role }) => role === 'band');
        const lines = new Set(labels.map(({ y }) => y));
        for (const height of lines) {
          const line = labels.filter(({ y }) => y === height);
          const [nouns, numbers] = [/^[a-z]+$/, /^\d+$/].map((pattern) =>
            line.filter(({ text }) => pattern.test(text)),
          );
          expect(nouns).toHaveLength(numbers.length > 0 ? 1 : 0);
          const named = line.length - nouns.length;
          expect(numbers.length === 0 || numbers.length === named).toBe(true);
          numbered += numbers.length;
        }
        expect(faultsOf(scene)).toEqual([]);
      }
      expect(numbered).toBeGreaterThan(0);
    },
  );

  it('has no phase bands where the nodes begin different phases at once', () => {
    // Every process of the bully algorithm calls in a term of its own.
    const { bands } = draw('bully', { nodes: 5 });
    expect(bands.filter(({ type }) => type.startsWith('phase'))).toEqual([]);
  });

  it('folds idle time and upkeep, and counts the messages that are folded', () => {
    const { bands, legend, scene } = draw('raft');
    expect(bands.filter(({ type }) => type === 'idle' || type === 'upkeep').map(({ type }) => type)).toEqual([
      'idle',
      'upkeep',
    ]);
    expect(legend).toContain('idle time, shortened');
    expect(legend.find((text) => text.startsWith('upkeep, folded: '))).toMatch(
      /\d+ heartbeat, \d+ acknowledge$/,
    );
    expect([scene.width, scene.height]).toEqual([1280, 720]);
  });

  it('splits a long run into strips that follow one another', () => {
    const { scene } = draw('itai-rodeh-unknown');
    const windows = scene.strips.map(({ from, until }) => [from, until]);
    expect(windows.length).toBeGreaterThan(1);
    expect(windows[0][0]).toBe(0);
    for (let k = 1; k < windows.length; k++) expect(windows[k][0]).toBe(windows[k - 1][1]);
    const tops = scene.strips.map(({ height, y }) => [y, y + height]);
    for (let k = 1; k < tops.length; k++) expect(tops[k][0]).toBeGreaterThan(tops[k - 1][1]);
  });

  it('names the fields of each message, and the value of those that never change', () => {
    expect(draw('hirschberg-sinclair').legend.slice(0, 3)).toEqual([
      'probe (id, phase, hops)',
      'reply (id, phase)',
      'elected (id = 8)',
    ]);
    const { legend, scene } = draw('ring-max');
    expect(legend[0]).toBe('election (term = 0, initiator, biggest)');
    expect(scene.texts.filter(({ role }) => role === 'message').map(({ text }) => text)).toContain('8,8');
  });

  it('labels every token of eight in lockstep', () => {
    const { scene } = draw('chang-roberts', { ids: [3, 4, 6, 5, 7, 2, 1, 8] });
    const labels = scene.texts.filter(({ role }) => role === 'message').map(({ text }) => text);
    expect(scene.omitted).toBe(0);
    expect(labels.filter((text) => text === '8')).toHaveLength(8);
  });

  it('leaves out all labels of a crowded view, and says of how many messages', () => {
    const { scene } = draw('flood-max');
    expect(scene.texts.filter(({ role }) => role === 'message')).toEqual([]);
    expect(scene.texts.map(({ text }) => text)).toContain('207 messages without labels');
  });

  it('explains what occurs, and nothing else', () => {
    const { legend } = draw('chang-roberts', { nodes: 4 });
    expect(legend).toEqual([
      'token (id)',
      'elected (id = 4)',
      'swallowed: nothing follows',
      'starts by itself',
      'follows the leader',
      'becomes leader',
    ]);
    const crashed = draw('bully', { nodes: 4 }).legend;
    expect(crashed).toEqual(expect.arrayContaining(['lost', 'crashes', 'timer patience fires']));
    const cut = draw('chang-roberts', { nodes: 8, until: 5.5, despite: ['termination'], schedule: 'random' });
    expect(cut.legend).toContain('in flight at the end');
    const twice = draw('chang-roberts', { nodes: 6, duplicate: 0.5, despite: ['duplication'] });
    expect(twice.legend).toContain('delivered again');
  });

  it('has messages with the same ends and times side by side', () => {
    const { arrows } = draw('tree-election', { nodes: 6 });
    const lines = arrows.map(({ segments: [{ line }] }) => JSON.stringify(line));
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('says whether the axis is time or steps', () => {
    const { events, shown } = record(algorithmNamed('chang-roberts'), { nodes: 3 });
    const note = (axis?: 'step') =>
      drawSpaceTime(events, { ...shown, axis }).texts.find(({ text }) => text.startsWith('rows: '))?.text;
    expect(note()).toBe('rows: ids, time →');
    expect(note('step')).toBe('rows: ids, step →');
  });

  it('shrinks a long title and cuts a long subtitle at a word', () => {
    const { events, shown } = record(algorithmNamed('chang-roberts'), { nodes: 3 });
    const words = (count: number) => Array.from({ length: count }, () => 'election').join(' ');
    const scene = drawSpaceTime(events, { ...shown, title: words(12), subtitle: words(40) });
    expect(faultsOf(scene)).toEqual([]);
    expect(scene.texts.find(({ role }) => role === 'title')?.text).toBe(words(12));
    expect(scene.texts.find(({ role }) => role === 'subtitle')?.text).toMatch(/^(election )+…$/);
  });

  it('draws what is swallowed faintly in a crowded view only, below all else', () => {
    const svg = (name: string) => {
      const { events, shown } = record(algorithmNamed(name), {});
      return spaceTimeDiagram(events, shown);
    };
    expect(svg('echo-election').match(/<g opacity="0.46">/g)?.length).toBeGreaterThan(20);
    expect(svg('chang-roberts')).not.toContain('<g opacity');
  });

  it('refuses more nodes or messages than fit, and says what to reduce', () => {
    const { events, shown } = record(algorithmNamed('chang-roberts'), { nodes: 64, order: 'descending' });
    expect(() => drawSpaceTime(events, shown)).toThrow(InputError);
    expect(() => drawSpaceTime(events, shown)).toThrow('at most 2000 messages: take fewer nodes');
    const { shown: wide } = record(algorithmNamed('chang-roberts'), { nodes: 65, initiators: [0] });
    expect(() => drawSpaceTime([], wide)).toThrow('at most 64 nodes, not 65');
  });
});

describe('the SVG of a space-time diagram', () => {
  const { events, shown } = record(algorithmNamed('bully'), { nodes: 6 });

  it('is well-formed, has a title for screen readers, and is the same every time', () => {
    const svg = spaceTimeDiagram(events, shown);
    expect(svg).toMatch(/^<svg [^<]+>\n<title>Bully: a run<\/title>/);
    const opened = svg.match(/<[a-z]+[^>]*[^/]>/g)?.length;
    expect(svg.match(/<\/[a-z]+>/g)).toHaveLength(opened ?? 0);
    expect(spaceTimeDiagram(events, shown)).toBe(svg);
  });

  it('has the colours of one theme, and no background if it is transparent', () => {
    const colours = (svg: string) => new Set(svg.match(/#[0-9a-f]{6}/g));
    const light = spaceTimeDiagram(events, shown);
    const dark = spaceTimeDiagram(events, shown, { ...DEFAULT_STYLE, theme: 'dark' });
    for (const [svg, theme] of [
      [light, 'light'],
      [dark, 'dark'],
    ] as const) {
      const known = new Set(Object.values(PALETTES[theme]));
      expect([...colours(svg)].filter((colour) => !known.has(colour))).toEqual([]);
    }
    const background = /<rect width="100%" height="100%"/;
    expect(light).toMatch(background);
    expect(spaceTimeDiagram(events, shown, { ...DEFAULT_STYLE, transparent: true })).not.toMatch(background);
  });

  it.each([
    ['slide', 16 / 9],
    ['page', 4 / 3],
    ['poster', Math.SQRT2],
  ] as const)('has the shape of a %s', (size, ratio) => {
    const svg = spaceTimeDiagram(events, shown, { ...DEFAULT_STYLE, size });
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
    expect(Number(width) / Number(height)).toBeCloseTo(ratio, 2);
  });

  it('escapes special characters in names', () => {
    const svg = spaceTimeDiagram(events, { ...shown, title: `<b> & "c" 'd' \u0007` });
    expect(svg).toContain('&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; \ufffd</text>');
    expect(svg).not.toContain('<b>');
    expect(escapeText('a<b')).toBe('a&lt;b');
  });
});

describe('the messages of a run', () => {
  const flights = (name: string, options: SimulateOptions) => {
    const { events, shown } = record(algorithmNamed(name), options);
    return { events, all: flightsOf(events, shown.topology) };
  };

  it.each([
    ['a ring', 'hirschberg-sinclair'],
    ['a ring that its nodes take for any graph', 'echo-election'],
  ])('arrive as often as they are sent, and wrap only at the ends of %s', (_, name) => {
    const { all, events } = flights(name, { nodes: 5, topology: 'ring' });
    expect(all).toHaveLength(events.filter(({ type }) => type === 'send').length);
    for (const { from, to, wraps } of all) {
      expect(wraps).toBe(from === 4 && to === 0 ? 1 : from === 0 && to === 4 ? -1 : 0);
    }
  });

  it('are straight lines between two nodes of a graph', () => {
    const { all } = flights('echo-election', { nodes: 2, topology: 'ring' });
    expect(new Set(all.map(({ wraps }) => wraps))).toEqual(new Set([0]));
  });

  it('wrap on a ring of one, and in both directions on a ring of two', () => {
    expect(flights('chang-roberts', { nodes: 1 }).all.map(({ wraps }) => wraps)).toEqual([1, 1]);
    const { all } = flights('hirschberg-sinclair', { nodes: 2 });
    expect(new Set(all.map(({ wraps }) => wraps))).toEqual(new Set([1, 0, -1]));
  });

  it('are lost, duplicated or still in flight as in the trace', () => {
    const { all, events } = flights('chang-roberts', {
      ...{ nodes: 9, schedule: 'random', seed: 5 },
      ...faulty,
      loss: 0.3,
      crash: [{ position: 3, time: 1 }],
    });
    const count = (fate: string) => all.filter((flight) => flight.fate === fate).length;
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
