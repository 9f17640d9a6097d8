import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GENERATED, rightFile } from '../../../../../scripts/twins.mjs';
import { ROOT } from '../../../../../test/source/source-file.ts';
import { asPrinted, registry, sun, twins } from '../../../src/algorithms/index.ts';
import { type CheckOptions, check } from '../../../src/checker/index.ts';
import { simulate } from '../../../src/simulator/index.ts';

const algorithmOf = (name: string) => {
  const found = asPrinted.find((each) => each.name === name);
  if (found === undefined) throw new RangeError(name);
  return found.algorithm;
};

describe('the algorithms as a source prints them', () => {
  it('have names that no other algorithm has, and differ in the lines of their entry', () => {
    const names = [...registry, ...twins, ...asPrinted].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const printed of asPrinted) {
      const code = (text: string): string[] =>
        text.split('\n').filter((line) => !line.startsWith('import ') && !line.startsWith("} from '"));
      const right = code(rightFile(ROOT, printed).text);
      const wrong = code(readFileSync(join(ROOT, GENERATED, `${printed.name}.ts`), 'utf8'));
      expect(wrong.filter((line, at) => line !== right[at])).toHaveLength(printed.lines.length);
    }
  });

  it('Sun(1) does not need the gather; Sun(2) with 64 nodes misses the largest id in 36 places', () => {
    const elect = (algorithm: Parameters<typeof simulate>[0], depth: number, place: number) => {
      const ids = Array.from({ length: 64 }, (_, at) => ((at - place + 127) % 64) + 1);
      return simulate(algorithm, {
        ids,
        initiators: [0],
        crash: 'none',
        set: { u: 4, depth, successors: 2 },
      });
    };
    const places = Array.from({ length: 64 }, (_, place) => place);
    const missed = (algorithm: Parameters<typeof simulate>[0], depth: number) =>
      places.filter((place) => elect(algorithm, depth, place).leader?.id !== 64).length;
    const printed = algorithmOf('sun-as-printed');
    expect([missed(printed, 1), missed(printed, 2), missed(sun, 2)]).toEqual([0, 36, 0]);
    expect(elect(printed, 2, 0).messages.total).toBe(172);
  });

  it('Chang–Roberts costs n² + n(n−1)/2 messages in every order, and the largest id leads', () => {
    for (const n of [2, 4, 8, 16]) {
      for (const order of ['ascending', 'descending', 'random'] as const) {
        const { leader, messages } = simulate(algorithmOf('chang-roberts-as-printed'), { nodes: n, order });
        expect([n, order, messages.election, leader?.id]).toEqual([n, order, n * n + (n * (n - 1)) / 2, n]);
      }
    }
  });

  it.each<[name: string, where: CheckOptions, property: string]>([
    ['chang-roberts-breaking', { nodes: 3, order: 'descending' }, 'termination'],
    ['modified-ring-as-printed', { nodes: 3, order: 'ascending', initiators: [0] }, 'termination'],
    ['peterson-as-printed', { nodes: 2, orders: 'all', starts: 'together' }, 'uniqueness'],
    ['peterson-as-printed', { ids: [4, 1, 3, 2], starts: 'together' }, 'uniqueness'],
    ['all-circulate-as-printed', { nodes: 3, order: 'ascending' }, 'agreement'],
  ])('%s fails with %o', (name, where, property) => {
    expect(check(algorithmOf(name), where).violations.map((each) => each.property)).toEqual([property]);
  });

  it('Peterson elects one leader on every ring of three nodes that start together', () => {
    const { complete, violations } = check(algorithmOf('peterson-as-printed'), {
      nodes: 3,
      orders: 'all',
      starts: 'together',
    });
    expect({ complete, violations }).toEqual({ complete: true, violations: [] });
  });

  it('the modified ring elects the largest id if it has initiated, with n² + n(n−1)/2 messages of n initiators', () => {
    const { leader, messages } = simulate(algorithmOf('modified-ring-as-printed'), { nodes: 16 });
    expect([leader?.id, messages.election]).toEqual([16, 376]);
  });

  it('bully that repeats its calls elects no leader', () => {
    const options = { nodes: 4, order: 'ascending', initiators: [0], until: 60 } as const;
    expect(() => simulate(algorithmOf('bully-repeating'), options)).toThrow(/termination/);
  });
});
