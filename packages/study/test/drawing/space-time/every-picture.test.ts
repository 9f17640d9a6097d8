/** The default picture of every algorithm, and the one on its page. */
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/algorithms/index.ts';
import { drawSpaceTime } from '../../../src/drawing/index.ts';
import { casesOf } from '../../algorithms/read-cases.ts';
import { faultsOf } from './faults.ts';
import { record } from './record.ts';

const pictures = registry.flatMap((algorithm) => [
  [algorithm.name, 'by default', algorithm, {}] as const,
  [algorithm.name, 'on its page', algorithm, casesOf(algorithm).run ?? { nodes: 6 }] as const,
]);

describe.each(pictures)('the picture of %s %s', (_name, _which, algorithm, options) => {
  const { events, shown } = record(algorithm, options);
  const scene = drawSpaceTime(events, shown);

  it('has no label that another arrow crosses, no texts that overlap, and is not taller than wide', () => {
    expect(faultsOf(scene)).toEqual([]);
  });

  it('has none of these faults on a page', () => {
    expect(faultsOf(drawSpaceTime(events, shown, 'page'))).toEqual([]);
  });

  it('shows every message once, or counts it as folded', () => {
    const sent = events.flatMap(({ type }, index) => (type === 'send' ? [index] : []));
    const drawn = new Set(scene.strips.flatMap(({ arrows }) => arrows.map(({ sending }) => sending)));
    const counted = scene.texts.find(({ text }) => text.startsWith('upkeep, folded: '))?.text ?? '';
    const folded = [...counted.matchAll(/\d+/g)].reduce((sum, [count]) => sum + Number(count), 0);
    expect(sent.filter((index) => drawn.has(index)).length + folded).toBe(sent.length);
  });

  it('says how many labels are missing', () => {
    const note = scene.texts.find(({ text }) => / labels? omitted$/.test(text))?.text ?? '0';
    expect(Number.parseInt(note, 10)).toBe(scene.omitted);
  });
});
