import { describe, expect, it } from 'vitest';
import { registry } from '../../src/algorithms/index.ts';
import { buildBefore, hustings, temporaryFolder } from './command.ts';

buildBefore();
const folder = temporaryFolder();

function print(...args: string[]): string {
  const { status, stdout, stderr } = hustings(args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

const LEASE_VERBS = ['lead', 'leader', 'history', 'evict', 'transfer', 'store', 'doctor'];

describe('help', () => {
  it.each([[], ['--help'], ['-h']])('for hustings %s lists the verbs and the exit codes', (...args) => {
    const help = print(...args);
    for (const verb of ['welcome', 'algorithms', 'simulate', 'sweep', 'check', 'replay', ...LEASE_VERBS])
      expect(help).toContain(`\n  ${verb} `);
    expect(help).toContain('Exit codes: 0 done');
  });

  it.each(['welcome', 'algorithms', 'simulate', 'sweep', 'check'])(
    'for %s has an example that works',
    (verb) => {
      const examples = /Examples?:\n((?: {2}.*\n)+)/.exec(print(verb, '--help'))?.[1] ?? '';
      expect(examples).toContain(`hustings ${verb}`);
      const [, first] = /hustings (.*)\n/.exec(examples) ?? [];
      expect(hustings(first.split(' ')).status).toBe(0);
    },
  );

  it.each(LEASE_VERBS)('for %s has examples, and says what the exit codes mean', (verb) => {
    const help = print(...(verb === 'store' ? [verb, 'init'] : [verb]), '--help');
    expect(help).toMatch(new RegExp(`Examples?:\\n  (\\S+ )?hustings ${verb}\\b`));
    expect(help).toMatch(/Exit codes: \S/);
    expect(help).toContain('--store <URL>');
    expect(help).toContain('--json');
  });

  it('names every option of simulate', () => {
    const help = print('simulate', '--help');
    for (const option of [
      ...['nodes', 'ids', 'order', 'initiators', 'topology', 'schedule', 'seed', 'crash', 'recover', 'loss'],
      ...['duplicate', 'partition', 'set', 'despite', 'until', 'trace', 'svg', 'json'],
    ]) {
      expect(help).toContain(`  --${option} `);
    }
  });
});

describe('help for check', () => {
  it('names every option', () => {
    const help = print('check', '--help');
    for (const option of [
      ...['nodes', 'ids', 'topology', 'orders', 'initiators', 'starts', 'crashes', 'recoveries', 'losses'],
      ...['delay', 'suspect', 'set', 'nofifo', 'states', 'json', 'svg', 'save'],
    ]) {
      expect(help).toContain(`  --${option} `);
    }
  });
});

describe('--version', () => {
  it('prints that of the package', () => expect(print('--version')).toMatch(/^\d+\.\d+\.\d+\n$/));
});

describe('hustings algorithms', () => {
  it('lists every algorithm with its network, timing, cost and source, one line each where nobody looks', () => {
    const lines = print('algorithms').split('\n');
    for (const { name, cost, source, assumes } of registry) {
      const [line] = lines.filter((each) => each.startsWith(`${name} `));
      for (const part of [assumes.network, assumes.timing, cost, source]) expect(line).toContain(part);
    }
  });

  it.each(registry.map(({ name }) => name))('%s is shown in full', (name) => {
    const page = print('algorithms', name);
    const algorithm = registry.find((each) => each.name === name);
    expect(page).toContain(`${algorithm?.title} (${name})`);
    expect(page).toContain(`hustings simulate ${name} --nodes 16`);
    for (const param of Object.keys(algorithm?.params ?? {})) expect(page).toContain(`\n  ${param} `);
    for (const type of Object.keys(algorithm?.messages ?? {})) expect(page).toContain(`\n  ${type}`);
    for (const { formula } of algorithm?.laws ?? []) expect(page).toContain(formula);
  });

  it('prints JSON of all, and of one', () => {
    const all = JSON.parse(print('algorithms', '--json'));
    expect(all.map(({ name }: { name: string }) => name)).toEqual(registry.map(({ name }) => name));
    const one = all.find(({ name }: { name: string }) => name === 'chang-roberts');
    expect(JSON.parse(print('algorithms', 'chang-roberts', '--json'))).toEqual(one);
    expect(one).toMatchObject({
      title: 'Chang–Roberts',
      assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
      params: [{ name: 'extremum', range: 'one of max, min', default: 'max' }, { name: 'filter' }],
    });
  });
});

describe('what npm start shows', () => {
  it('is a ring of eight, its leader, the story, the counts beside their laws, and what to type next', () => {
    const text = print('welcome');
    expect(text).toContain('★ 47');
    expect(text).toMatch(/time 8 .* 47 ★ /);
    expect(text).toMatch(/announcement messages +8 +n = 8 +✓/);
    expect(text).toContain('npx hustings simulate chang-roberts --nodes 16');
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('✗');
  });

  it('tells to type only what works', () => {
    const commands = [...print('welcome').matchAll(/ {2}npx hustings (.*)\n/g)].map(([, words]) =>
      words.split(' '),
    );
    expect(commands.length).toBeGreaterThan(2);
    for (const words of commands) {
      const safe = words.map((word) => (word === 'election.svg' ? '/dev/null' : word));
      const ended = hustings(safe, undefined, { HUSTINGS_STORE: '', XDG_STATE_HOME: folder.path });
      expect(ended.status).toBe(0);
    }
  });
});

describe('the summary of a run', () => {
  it('has the picture, the winner and a mark for each law that one run can obey', () => {
    const text = print('simulate', 'chang-roberts', '--order', 'descending');
    expect(text).toMatch(/^Chang–Roberts: 8 nodes on a one-way ring, lockstep, seed 1\n/);
    expect(text).toContain('★ id 8 leads at position 0; all 8 nodes know it');
    expect(text).toMatch(/election messages +36 +n\(n\+1\)\/2 = 36 +✓/);
    expect(text).toMatch(/announcement home at +16 +2n = 16 +✓/);
  });

  it('marks the dead, and counts the live', () => {
    const text = print('simulate', 'bully', '--nodes', '5');
    expect(text).toContain('✝ 5');
    expect(text).toContain('all 4 live nodes know it');
  });

  it('is a line instead of a picture for many nodes', () => {
    expect(print('simulate', 'chang-roberts', '--nodes', '25')).toContain(
      '25 nodes, 25 initiators: too many to draw',
    );
  });
});
