/** The rules that a step runs, and the bits that it sends. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withRuleProbes } from '../../../../scripts/rule-probes.mjs';
import { registry } from '../../../study/src/algorithms/index.ts';
import { countersOf } from '../../src/model/run/counters.ts';
import { ranRule, watchRules, withRule } from '../../src/model/run/rule-log.ts';
import { RunModel } from '../../src/model/run/run-model.ts';

const FOLDER = 'packages/study/src/algorithms';
const probe = (text: string): string => withRuleProbes(text, 'file', 'log');

describe('the probes of rules', () => {
  it('stand before the tagged statement, inside a branch, and around a handler that is written elsewhere', () => {
    const text = [
      'f(() => {',
      '  send(1); // R1',
      '  if (x) return; // R2, R3',
      '  if (y) { // R4',
      '    go();',
      '  }',
    ];
    const probed = probe([...text, '});', 'on({ elected: forward, // R5', '});'].join('\n')).split('\n');
    expect(probed[1]).toBe("  ranRule('R1', 2, 'file');send(1); // R1");
    expect(probed[2]).toBe("  if (x) {ranRule('R2, R3', 3, 'file');return;} // R2, R3");
    expect(probed[3]).toBe("  if (y) {ranRule('R4', 4, 'file'); // R4");
    expect(probed[7]).toBe("on({ elected: withRule(forward, 'R5', 8, 'file'), // R5");
    expect(probe('const x = 1;\n')).toBe('const x = 1;\n');
  });

  it('move no line, and reach every tag of the catalogue except predicates', () => {
    const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    );
    let tags = 0;
    for (const path of files.filter((each) => !each.startsWith('broken'))) {
      const lines = readFileSync(join(FOLDER, path), 'utf8').split('\n');
      const probed = probe(lines.join('\n')).split('\n');
      expect(probed).toHaveLength(lines.length);
      lines.forEach((line, k) => {
        if (!/\/\/ R\d/.test(line) || /=>|^\s*!/.test(line) || /^\s*\} \/\//.test(line)) return;
        tags++;
        expect(probed[k], `${path}:${k + 1}`).toMatch(/ranRule|withRule/);
      });
    }
    expect(tags).toBeGreaterThan(300);
  });

  it('are heard while a step is watched, each line once', () => {
    const handler = withRule(() => ranRule('R2', 7, 'ring'), 'R1', 3, 'ring');
    const call = (): void => handler(null, null, null, null);
    call();
    const { rules } = watchRules(() => {
      call();
      call();
    });
    expect(rules.map(({ line, tag }) => `${tag} ${line}`)).toEqual(['R1 3', 'R2 7']);
    expect(watchRules(() => 5)).toEqual({ result: 5, rules: [] });
  });
});

describe('the bits of a run', () => {
  it('are those of the simulator at its end, for every algorithm', () => {
    for (const algorithm of registry) {
      const model = RunModel.of(algorithm);
      if (model.missing !== null) continue;
      const bitsAt = (position: number): number | null => {
        model.seek(position);
        return countersOf(model).find(({ name }) => name === 'bits')?.count ?? null;
      };
      expect(bitsAt(0), algorithm.name).toBe(0);
      expect(bitsAt(model.length), algorithm.name).toBe(model.run.interim().bits);
    }
  });
});
