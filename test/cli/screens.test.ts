import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { installedVerbs, VERB_NAMES } from '../../packages/hustings/src/cli/installed-verbs.ts';
import { makeProgram } from '../../packages/hustings/src/cli/program.ts';
import { registry } from '../../packages/study/src/algorithms/index.ts';
import { commandsTogether, hustings, temporaryFolder } from '../../test-kit/command.ts';
import { ROOT, readFiles } from '../source/source-file.ts';

const folder = temporaryFolder();

function print(...args: string[]): string {
  const { status, stdout, stderr } = hustings(args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** A whole report takes minutes, a file to replay or a queue must be there, the lab serves until Ctrl-C: their own tests run them. */
const SLOW_EXAMPLES = ['reproduce', 'replay', 'worker', 'queue', 'lab', 'node'];
const { verbs: VERBS, missing } = await installedVerbs();
const LEASE_VERBS = Object.keys(VERBS).filter((verb) => VERBS[verb].group === 'Leases:');
const OTHER_VERBS = Object.keys(VERBS).filter((verb) => !LEASE_VERBS.includes(verb));

const commands = await allCommands();
const names = registry.map(({ name }) => name);
const screen = commandsTogether(
  [
    ...commands.map(([words]) => [...words, '--help']),
    ...OTHER_VERBS.map((verb) => [verb, '--help']),
    ...LEASE_VERBS.map(helpOf),
    ...names.map((name) => ['algorithms', name]),
  ],
  folder,
);

/** As `print`, for one of these commands. */
function show(...args: string[]): string {
  const { status, stdout, stderr } = screen(args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

function helpOf(verb: string): string[] {
  return [...(verb === 'store' ? [verb, 'init'] : [verb]), '--help'];
}

/** The commands that can be run, `store init` among them, with the words that name each. */
async function allCommands(): Promise<[words: string[], command: Command][]> {
  const { commands } = await makeProgram(VERBS, [], ...Object.keys(VERBS));
  return commands.flatMap((command): [string[], Command][] =>
    command.commands.length === 0
      ? [[[command.name()], command]]
      : command.commands.map((inner): [string[], Command] => [[command.name(), inner.name()], inner]),
  );
}

describe('help', () => {
  it.each([[], ['--help'], ['-h']])('for hustings %s lists the verbs and the exit codes', (...args) => {
    const help = print(...args);
    expect(missing).toEqual([]);
    for (const verb of VERB_NAMES) expect(help).toMatch(new RegExp(`\\n  ${verb} .*\\S`));
    expect(help).toContain('Exit codes: 0 ');
  });

  it('names every option of every command, with a phrase that stands alone', () => {
    expect(commands.length).toBeGreaterThanOrEqual(Object.keys(VERBS).length);
    for (const [words, { options }] of commands) {
      const help = show(...words, '--help').replace(/\s+/g, ' ');
      for (const { flags, description } of options) {
        // A phrase that stands alone: not the end of a sentence that begins with the flag.
        expect(description, `${words.join(' ')} ${flags}`).toMatch(
          /^(?!(?:of|that|who|which|the same|so)\b)\S/,
        );
        expect(help).toContain(` ${flags} ${description}`);
      }
    }
  });

  it('names pages of the documentation by their address: the package has none', () => {
    const address = /https:\/\/github\.com\/hustings\/hustings\/blob\/HEAD\/(\S+)/g;
    const pages = commands.flatMap(([words]) => {
      const help = show(...words, '--help');
      expect([words, help.replace(address, '').match(/docs\/\S+/g)]).toEqual([words, null]);
      return [...help.matchAll(address)].map(([, page]) => page);
    });
    expect(pages).toContain('docs/sidecar.md');
    expect(pages.filter((page) => !existsSync(join(ROOT, page)))).toEqual([]);
  });

  it('for every verb of an algorithm has an example, and the first one works', () => {
    for (const verb of OTHER_VERBS.filter((each) => !SLOW_EXAMPLES.includes(each))) {
      const examples = /Examples?:\n((?: {2}.*\n)+)/.exec(show(verb, '--help'))?.[1] ?? '';
      expect(examples).toContain(`hustings ${verb}`);
      const [, first] = /hustings (.*)\n/.exec(examples) ?? [];
      expect(hustings(first.split(' ')).status, first).toBe(0);
    }
  });

  it.each(LEASE_VERBS)('for %s has examples, and says what the exit codes mean', (verb) => {
    const help = show(...helpOf(verb));
    expect(help).toMatch(new RegExp(`Examples?:\\n  (\\S+ )?hustings ${verb}\\b`));
    expect(help).toMatch(/Exit codes: \S/);
    // It asks no store, and answers with its exit code.
    if (verb === 'assert') return;
    expect(help).toContain('--store <URL>');
    expect(help).toContain('--json');
  });

  it('has a page for every verb, which shows it in a block of commands', () => {
    const pages = readFiles('.').filter(({ path }) => /^(docs\/.*|README)\.md$/.test(path));
    const blocks = pages.flatMap(({ text }) => text.match(/```(sh|console)\n(?:(?!```).|\n)*/g) ?? []);
    const commands = blocks.join('\n');
    // `npm start` shows the welcome.
    const verbs = Object.keys(VERBS).filter((verb) => verb !== 'welcome');
    for (const verb of verbs) expect(commands).toMatch(new RegExp(`hustings ${verb}\\b`));
  });
});

describe('--version', () => {
  it('prints the version of the package', () => expect(print('--version')).toMatch(/^\d+\.\d+\.\d+\n$/));
});

describe('hustings algorithms', () => {
  it('lists every algorithm with its network, timing, cost and source, one line each if the output is not a terminal', () => {
    const lines = print('algorithms').split('\n');
    for (const { name, cost, source, assumes } of registry) {
      const [line] = lines.filter((each) => each.startsWith(`${name} `));
      for (const part of [assumes.network, assumes.timing, cost, source]) expect(line).toContain(part);
    }
  });

  it.each(names)('%s is shown in full', (name) => {
    const page = show('algorithms', name);
    const algorithm = registry.find((each) => each.name === name);
    expect(page).toContain(`${algorithm?.title} (${name})`);
    expect(page).toContain(`hustings simulate ${name} --nodes 16`);
    for (const param of Object.keys(algorithm?.params ?? {})) expect(page).toContain(`\n  ${param} `);
    for (const type of Object.keys(algorithm?.messages ?? {})) expect(page).toContain(`\n  ${type}`);
    for (const { formula } of algorithm?.laws ?? []) expect(page).toContain(formula);
  });

  it('prints all, or one, as JSON', () => {
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
  it('is a ring of eight nodes, its leader, the explanation, the counts beside their laws, and the next commands', () => {
    const text = print('welcome');
    expect(text).toContain('★ 47');
    expect(text).toMatch(/time 8 .* 47 ★ /);
    expect(text).toMatch(/announcement messages +8 +n = 8 +✓/);
    expect(text).toContain('npx hustings simulate chang-roberts --nodes 16');
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('✗');
  });

  it('names only commands that work', () => {
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
  it('has the picture, the leader and a mark for each exact law and bound', () => {
    const text = print('simulate', 'chang-roberts', '--order', 'descending');
    expect(text).toMatch(/^Chang–Roberts: 8 nodes on a one-way ring, lockstep, seed 1\n/);
    expect(text).toContain('★ id 8 leads at position 0; all 8 nodes know it');
    expect(text).toMatch(/election messages +36 +n\(n\+1\)\/2 = 36 +✓/);
    expect(text).toMatch(/announcement returned at +16 +2n = 16 +✓/);
  });

  it('marks crashed nodes, and counts live ones', () => {
    const text = print('simulate', 'bully', '--nodes', '5');
    expect(text).toContain('✝ 5');
    expect(text).toContain('all 4 live nodes know it');
  });

  it('has a line instead of a picture for many nodes', () => {
    expect(print('simulate', 'chang-roberts', '--nodes', '25')).toContain(
      '25 nodes, 25 initiators: too many to draw',
    );
  });
});
