import { describe, expect, it } from 'vitest';
import { createElector } from '../../src/elector/create-elector.ts';
import { prometheusText } from '../../src/elector/metrics/exporters.ts';
import { readKit } from './kit-files.ts';

const exported = prometheusText([createElector({ store: 'memory:', name: 'x' }).metrics]);
const families = new Map(
  [...exported.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]),
);
const samples = new Set([...exported.matchAll(/^(hustings_\w+)\{/gm)].map(([, name]) => name));
const labels = new Set([...exported.matchAll(/[{,](\w+)="/g)].map(([, name]) => name));

const familyOf = (sample: string): string =>
  families.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, '');

/** What is wrong with the metrics and labels of an expression. */
function mistakes(expression: string): string[] {
  const used = [...expression.matchAll(/hustings_\w+/g)].map(([name]) => name);
  const unknown = used.filter((name) => !samples.has(name)).map((name) => `${name} is not exported`);
  const named = [
    ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list.split(/,\s*/)),
    ...[...expression.matchAll(/[{,](\w+)=/g)].map(([, name]) => name),
  ];
  const strange = named.filter((name) => !labels.has(name)).map((name) => `${name} is no label`);
  // A counter falls to 0 when a process starts: only its increase means something.
  const bare = used
    .filter((name) => families.get(familyOf(name)) !== 'gauge')
    .filter((name) => !new RegExp(`(rate|increase)\\(${name}\\b`).test(expression))
    .map((name) => `${name} is a counter, without rate or increase`);
  return [...unknown, ...strange, ...bare, ...(used.length === 0 ? [`${expression}: no metric`] : [])];
}

const rules = readKit('prometheus/hustings.rules.yaml');
const alerts = [...rules.matchAll(/^ {8}expr: (.*)$/gm)].map(([, expression]) => expression);
const dashboard = JSON.parse(readKit('grafana/hustings.json'));
const targets: { title: string; expr: string }[] = dashboard.panels.flatMap(
  ({ title, targets }: { title: string; targets: { expr: string }[] }) =>
    targets.map(({ expr }) => ({ title, expr })),
);

describe('the alert rules and the dashboard', () => {
  it.each(alerts)('use metrics and labels that electors export: %s', (expression) => {
    expect(mistakes(expression)).toEqual([]);
  });

  it.each(targets)('use metrics and labels that electors export: panel "$title"', ({ expr }) => {
    expect(mistakes(expr)).toEqual([]);
  });

  it('let as many candidates lead as the election has slots, by the metrics of three of which two lead', async () => {
    const electors = ['a', 'b', 'c'].map((id) =>
      createElector({ store: 'memory:', name: 'pair', id, slots: 2, ttlMs: 60_000 }),
    );
    const leads = await Promise.all([electors[0].acquire(), electors[1].acquire()]);
    const text = prometheusText(electors.map(({ metrics }) => metrics));
    const valuesOf = (metric: string): number[] =>
      [...text.matchAll(new RegExp(`^${metric}\\{election="pair",.*\\} (.*)$`, 'gm'))].map(([, value]) =>
        Number(value),
      );
    const rule = rules.split(/^ {6}- alert: /m).find((block) => block.startsWith('HustingsTooManyLeaders'));
    expect(/expr: (.*)/.exec(rule ?? '')?.[1]).toBe(
      'sum by (election) (hustings_is_leader) > max by (election) (hustings_slots)',
    );
    const leaders = valuesOf('hustings_is_leader');
    expect([leaders.length, leaders.reduce((sum, value) => sum + value, 0)]).toEqual([3, 2]);
    expect(Math.max(...valuesOf('hustings_slots'))).toBe(2);
    await Promise.all(leads.map((lead) => lead.release()));
    await Promise.all(electors.map((elector) => elector.close()));
  });

  it('show every metric in the dashboard', () => {
    const shown = new Set(targets.flatMap(({ expr }) => expr.match(/hustings_\w+/g) ?? []).map(familyOf));
    expect([...families.keys()].filter((name) => !shown.has(name))).toEqual([]);
  });

  it('name labels in their texts that their expressions keep', () => {
    const blocks = rules.split(/^ {6}- alert: /m).slice(1);
    expect(blocks).toHaveLength(alerts.length);
    for (const block of blocks) {
      const kept = /by \(([^)]*)\)/.exec(block)?.[1].split(/,\s*/) ?? [...labels];
      const named = [...block.matchAll(/\$labels\.(\w+)/g)].map(([, name]) => name);
      expect(named.filter((name) => !kept.includes(name))).toEqual([]);
      expect(block).toMatch(/severity: (critical|warning)/);
    }
  });

  it('are checked: a wrong name, a wrong label and a bare counter are found', () => {
    expect(mistakes('hustings_is_leeder')).toContain('hustings_is_leeder is not exported');
    expect(mistakes('sum by (elections) (hustings_is_leader)')).toEqual(['elections is no label']);
    expect(mistakes('hustings_terms_total > 3')).toEqual([
      'hustings_terms_total is a counter, without rate or increase',
    ]);
  });
});
