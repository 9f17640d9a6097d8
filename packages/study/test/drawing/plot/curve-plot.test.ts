import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWith } from '../../../../../test-kit/programs/describe-with.ts';
import { launchBrowser } from '../../../../../test-kit/programs/launch-browser.ts';
import {
  changRoberts,
  leLann,
  peterson,
  petersonBidirectional,
  registry,
} from '../../../src/algorithms/index.ts';
import { curvePlot } from '../../../src/drawing/plot/curve-plot.ts';
import type { Plot } from '../../../src/drawing/plot/plot.ts';
import { axisFor } from '../../../src/drawing/plot/plot-axis.ts';
import { layoutPlot } from '../../../src/drawing/plot/plot-layout.ts';
import type { PlotScene } from '../../../src/drawing/plot/plot-scene.ts';
import { DEFAULT_STYLE, PALETTES, SHEET_SIZES } from '../../../src/drawing/style.ts';
import { type Box, overlap } from '../../../src/drawing/text-box.ts';
import { sweep } from '../../../src/sweep/index.ts';
import { plotOf } from '../../../src/sweep/report/sweep-plot.ts';

const EMPTY: Plot = {
  title: 't',
  subtitle: 's',
  xTitle: 'x',
  yTitle: 'y',
  series: [],
  curves: [],
  notes: [],
};
const PHONE = { width: 340, height: 400, text: 12 };
const SHEETS = { ...SHEET_SIZES, phone: PHONE };
const SLIDE = SHEET_SIZES.slide;

/** Two texts on each other, a mark or a leader on a text, and texts outside the sheet. */
function defectsOf({ height, lines, marks, texts, width }: PlotScene): string[] {
  const found: string[] = [];
  texts.forEach((one, index) => {
    for (const other of texts.slice(index + 1)) {
      if (overlap(one.box, other.box)) found.push(`'${one.text}' lies on '${other.text}'`);
    }
    const { box } = one;
    if (box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height) {
      found.push(`'${one.text}' is cut off`);
    }
    for (const { at, radius } of marks) {
      const mark = { x: at.x - radius, y: at.y - radius, width: 2 * radius, height: 2 * radius };
      if (overlap(box, mark)) found.push(`a mark lies on '${one.text}'`);
    }
    for (const { points, type } of lines) {
      if (type === 'leader' && crosses(points[0], points[1], box))
        found.push(`a leader crosses '${one.text}'`);
    }
  });
  return found;
}

/** Whether the line passes through the box, by steps of a pixel. */
function crosses(from: { x: number; y: number }, to: { x: number; y: number }, box: Box): boolean {
  const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y));
  return Array.from({ length: steps + 1 }, (_, k) => ({
    x: from.x + ((to.x - from.x) * k) / Math.max(1, steps),
    y: from.y + ((to.y - from.y) * k) / Math.max(1, steps),
  })).some(({ x, y }) => x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height);
}

const words = (scene: PlotScene, role: string): string[] =>
  scene.texts.filter((text) => text.role === role).map(({ text }) => text);

/** The sweep of each algorithm, with few runs: labels depend on the laws and hardly on the means. */
let measured: readonly Plot[] | undefined;
function sweeps(): readonly Plot[] {
  measured ??= registry.map((algorithm) => plotOf(sweep([algorithm], { nodes: [16, 32, 64], runs: 2 })));
  return measured;
}

/** Many curves that end at nearly the same place, with bounds that leave the frame beside each other. */
function crowded(curves: number): Plot {
  const sizes = [8, 16, 32, 64];
  return {
    ...EMPTY,
    title: 'A title of an algorithm with a long name, and a measure with a long name: messages, divided by n',
    subtitle: 'one-way ring, random order, lockstep, 200 runs per point, seed 1, despite FIFO and size',
    series: Array.from({ length: curves }, (_, k) => ({
      name: `Algorithm ${k} with a name that takes several words`,
      points: sizes.map((x) => ({ x, y: x * (10 + k / 10), interval: [x * 9, x * 12] as const })),
    })),
    curves: Array.from({ length: curves }, (_, k) => [
      {
        name: `≤ ${k}n·(n−1)/2 + 2n⌈log2 n⌉ + n − 1`,
        dash: 'dotted' as const,
        series: [k],
        points: sizes.map((x) => ({ x, y: x * x * (3 + k / 20) })),
      },
      {
        name: `mean ${k}n·H_n + n`,
        dash: 'dashed' as const,
        series: [k],
        points: sizes.map((x) => ({ x, y: x * (10 + k / 10) })),
      },
    ]).flat(),
    notes: ['bars: 95 % confidence interval'],
  };
}

describe('an axis', () => {
  it('has equal ratios at equal distances', () => {
    const { at } = axisFor([3, 700, 16_000], 0, 600);
    expect(at(64) - at(16)).toBeCloseTo(at(4096) - at(1024), 9);
  });

  it('contains all its values', () => {
    for (const values of [[7], [0, 5], [0.05, 0.06], [1, 1e12], [-3, 4], [0]]) {
      const { at, ticks } = axisFor(values, 100, 700);
      for (const value of [...values, ...ticks.map((tick) => tick.value)]) {
        expect(at(value)).toBeGreaterThanOrEqual(100);
        expect(at(value)).toBeLessThanOrEqual(700);
      }
      expect(ticks.filter(({ label }) => label !== '').length).toBeGreaterThan(0);
    }
  });

  it('is linear if a value is not above 0', () => {
    const { at } = axisFor([0, 10], 0, 600);
    expect(at(10) - at(5)).toBeCloseTo(at(5) - at(0), 9);
  });
});

describe('a plot', () => {
  const points = [8, 16, 32].map((x) => ({ x, y: x * x, interval: [x * x - 5, x * x + 5] as const }));
  const bound = { name: '≤ n³', dash: 'dotted' as const, series: [0] };
  const cube = { ...bound, points: [8, 16, 32].map((x) => ({ x, y: x ** 3 })) };

  it('has every point and curve within its frame', () => {
    const curves = [{ name: 'law', dash: 'solid' as const, series: [0], points }, cube];
    const scene = layoutPlot({ ...EMPTY, series: [{ name: 'a', points }], curves }, SLIDE);
    const { x, y, width, height } = scene.frame;
    const drawn = [
      ...scene.lines.flatMap((line) => (line.type === 'leader' ? [] : line.points)),
      ...scene.marks.map(({ at }) => at),
      ...scene.bars.flatMap((bar) => [bar.low, bar.high].map((end) => ({ x: bar.x, y: end }))),
    ].filter((point) => point.x <= x + width && point.y >= y);
    expect(drawn.length).toBe(3 + 2 + 3 + 6);
    for (const point of drawn) {
      expect(point.x).toBeGreaterThanOrEqual(x);
      expect(point.y).toBeLessThanOrEqual(y + height);
    }
  });

  it('draws an exact law through the centres of the marks', () => {
    const plot = plotOf(sweep([leLann], { nodes: [4, 8, 16], runs: 3 }));
    const { lines, marks } = layoutPlot(plot, SLIDE);
    const [law] = lines.filter(({ type }) => type === 'solid');
    expect(law.points).toEqual(marks.slice(0, 3).map(({ at }) => at));
  });

  it('distinguishes eleven series and three kinds of curves without colour', () => {
    const series = Array.from({ length: 11 }, (_, k) => ({ name: `s${k}`, points: [{ x: k + 1, y: 5 }] }));
    const { ink3: grey } = PALETTES.light;
    const svg = curvePlot({ ...EMPTY, series }).replaceAll(/#[0-9a-f]{6}/g, (colour) =>
      colour === PALETTES.light.paper ? colour : grey,
    );
    const marks = svg.match(/<(circle|path)[^>]*stroke-width="1.73"\/>/g) ?? [];
    // Only shape and filling remain: each corner relative to the first.
    const shapes = marks.slice(0, 11).map((mark) => {
      const corners = [...mark.matchAll(/[ML]([-\d.]+) ([-\d.]+)/g)].map(([, a, b]) => [
        Number(a),
        Number(b),
      ]);
      const relative = corners.map(([a, b]) =>
        [a - corners[0][0], b - corners[0][1]].map(Math.round).join(' '),
      );
      return [/<circle/.test(mark), relative.join(), /fill="([^"]*)"/.exec(mark)?.[1]].join('; ');
    });
    expect(new Set(shapes).size).toBe(11);
    const dashes = (['solid', 'dashed', 'dotted', 'dash-dotted'] as const).map((dash) => {
      const curves = [{ name: 'law', dash, series: [0], points }];
      const drawn = curvePlot({ ...EMPTY, series: [{ name: 'a', points }], curves });
      return /stroke-dasharray="[^"]*"/.exec(drawn)?.[0];
    });
    expect(new Set(dashes).size).toBe(4);
  });

  it.each([
    ['nothing', EMPTY],
    ['one point', { ...EMPTY, series: [{ name: 'a', points: [{ x: 8, y: 3 }] }] }],
    ['zeros', { ...EMPTY, series: [{ name: 'a', points: [8, 16].map((x) => ({ x, y: 0 })) }] }],
    ['large numbers', { ...EMPTY, series: [{ name: 'a', points: [8, 1e6].map((x) => ({ x, y: x ** 3 })) }] }],
    [
      'one size with a law',
      { ...EMPTY, series: [{ name: 'a', points: points.slice(0, 1) }], curves: [cube] },
    ],
    [
      'many sizes',
      {
        ...EMPTY,
        series: [{ name: 'a', points: Array.from({ length: 300 }, (_, k) => ({ x: k + 1, y: k + 1 })) }],
      },
    ],
  ])('of %s contains only numbers, and no overlapping texts', (_, plot) => {
    expect(curvePlot(plot)).not.toMatch(/NaN|Infinity|undefined/);
    for (const sheet of Object.values(SHEETS)) expect(defectsOf(layoutPlot(plot, sheet))).toEqual([]);
  });

  it('cuts a bound where it leaves the frame, and labels it there', () => {
    const plot = { ...EMPTY, series: [{ name: 'a', points }], curves: [cube] };
    const { frame, lines, texts } = layoutPlot(plot, SLIDE);
    const end = lines.find(({ type }) => type === 'dotted')?.points.at(-1);
    const label = texts.find(({ text }) => text === '≤ n³');
    expect(end?.y).toBeCloseTo(frame.y, 6);
    expect(label?.box.y).toBeLessThan(frame.y);
    // Its marks and its sample stand between the end and the text.
    expect((label?.x ?? 0) - (end?.x ?? 0)).toBeLessThan(5 * SLIDE.text);
  });

  it('has one curve for a law that is the same for several series, with the marks of all', () => {
    const result = sweep([peterson, petersonBidirectional, changRoberts], {
      nodes: [16, 32],
      runs: 30,
      measure: 'announcement',
    });
    const { marks, texts } = layoutPlot(plotOf(result), SLIDE);
    const [label, ...others] = texts.filter(({ text }) => text === '= n');
    expect(others).toEqual([]);
    const before = marks.filter(
      ({ at }) => Math.abs(at.y - label.y) < 1 && at.x < label.x && at.x > label.x - 100,
    );
    expect(before.map(({ series }) => series)).toEqual([0, 1, 2]);
  });

  it('tells a fit from a law, and keeps the line of the means beside a fit', () => {
    const options = { nodes: [8, 16, 32], runs: 5, fit: ['n log n'] };
    const plot = plotOf(sweep([changRoberts, peterson], options));
    const dashOf = (beginning: string) =>
      plot.curves.filter(({ name }) => name.startsWith(beginning)).map(({ dash }) => dash);
    expect(dashOf('fitted')).toEqual(['dash-dotted', 'dash-dotted']);
    expect(dashOf('mean')).toEqual(['dashed']);
    expect(plot.notes).toContain('dash-dotted: fitted growth');
    expect(plot.notes).toContain('dashed: mean by a law');
    const measured = layoutPlot(plot, SLIDE).lines.filter(({ type }) => type === 'measured');
    // Chang–Roberts has a law for its mean, Peterson only bounds.
    expect(measured.map(({ series }) => series)).toEqual([1]);
  });

  it('divides the formulas of a plot per node by n too', () => {
    const options = { nodes: [8, 16], runs: 3, fit: ['n log n'] };
    for (const { name } of plotOf(sweep([changRoberts], options), true).curves) {
      expect(name).toMatch(/^(=|≤|mean|fitted) \(.*\) \/ n$/);
    }
  });

  it('names algorithm, measure, network, order and runs', () => {
    const plot = plotOf(sweep([changRoberts], { nodes: [8, 16], runs: 3, order: ['descending'] }), true);
    expect([plot.title, plot.subtitle]).toEqual([
      'Chang–Roberts: messages, divided by n',
      'one-way ring, descending order, lockstep, 3 runs per point, seed 1',
    ]);
  });

  it('has the colours and the size of its style', () => {
    const plot = { ...EMPTY, series: [{ name: 'a', points }] };
    const dark = curvePlot(plot, { size: 'page', theme: 'dark', transparent: false });
    expect(dark).toMatch(/<svg[^>]* width="960" height="720"/);
    expect(dark).toContain(`<rect width="100%" height="100%" fill="${PALETTES.dark.paper}"/>`);
    expect(dark).not.toContain(PALETTES.light.ink);
    expect(curvePlot(plot, { ...DEFAULT_STYLE, transparent: true })).not.toContain('<rect');
  });
});

describe('labels', () => {
  it('of every algorithm are complete, on the sheet, and on no other text, mark or leader', () => {
    for (const plot of sweeps()) {
      for (const [size, sheet] of Object.entries(SHEETS)) {
        const scene = layoutPlot(plot, sheet);
        const name = `${plot.title}, ${size}`;
        expect([name, defectsOf(scene)]).toEqual([name, []]);
        const written = scene.texts.map(({ text }) => text).join(' ');
        for (const { name: label } of [...plot.series, ...plot.curves]) expect(written).toContain(label);
      }
    }
  });

  it.each([1, 6, 12])('of %i crowded series are complete and apart', (curves) => {
    for (const [size, sheet] of Object.entries(SHEETS)) {
      const scene = layoutPlot(crowded(curves), sheet);
      expect([size, defectsOf(scene)]).toEqual([size, []]);
      const laws = words(scene, 'law').join(' ');
      for (const { name } of crowded(curves).curves) expect(laws).toContain(name);
    }
  });

  it('do not wrap where there is room', () => {
    const points = [8, 16].map((x) => ({ x, y: x }));
    for (const length of [4, 8, 11, 13, 15]) {
      const name = `mean ${'n '.repeat(length)}+ 1`;
      const curves = [{ name, dash: 'dashed' as const, series: [0], points }];
      const plot = { ...EMPTY, series: [{ name: 'a', points }], curves };
      for (const sheet of Object.values(SHEET_SIZES)) {
        expect(words(layoutPlot(plot, sheet), 'law')).toEqual([name]);
      }
    }
  });

  it('that overlap are found', () => {
    const scene = layoutPlot(crowded(6), SLIDE);
    const [first] = scene.texts;
    const moved = { ...first, text: 'moved', box: { ...first.box, x: first.box.x + 3 } };
    const outside = { ...first, text: 'outside', box: { ...first.box, x: -10_000 } };
    expect(defectsOf({ ...scene, texts: [...scene.texts, moved, outside] })).toEqual([
      `'${first.text}' lies on 'moved'`,
      "'outside' is cut off",
    ]);
  });
});

await describeWith('chromium', 'labels in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser?.close());

  it('are apart and on the sheet with the fonts that are there', async () => {
    const page = await browser.newPage();
    const plots = [...sweeps(), crowded(6), crowded(12)];
    await page.setContent(plots.map((plot) => curvePlot(plot)).join(''));
    const drawn = (await page.evaluate(`Array.from(document.querySelectorAll('svg'), (svg) => {
      const { width, height } = svg.viewBox.baseVal;
      const texts = Array.from(svg.querySelectorAll('text'), (text) => {
        const { x, y, width, height } = text.getBBox();
        return { text: text.textContent, box: { x, y, width, height } };
      });
      return { width, height, texts };
    })`)) as { width: number; height: number; texts: { text: string; box: Box }[] }[];
    expect(drawn).toHaveLength(plots.length);
    drawn.forEach(({ texts, ...sheet }, index) => {
      // The boxes of the browser include the space between lines.
      const tight = texts.map(({ text, box }) => ({
        text,
        box: { ...box, y: box.y + 0.1 * box.height, height: 0.8 * box.height },
      }));
      const scene = { ...sheet, texts: tight, lines: [], marks: [] } as unknown as PlotScene;
      expect([plots[index].title, defectsOf(scene)]).toEqual([plots[index].title, []]);
    });
    await page.close();
  }, 60_000);
});
