/** The files of .github: GitHub alone can run them, so the tests read what they name. */
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import rootManifest from '../../package.json' with { type: 'json' };
import { MANIFESTS } from '../../scripts/sources.mjs';
import { readFiles } from './source-file.ts';

// It has no types.
const yaml: { safeLoad(text: string): unknown } = createRequire(import.meta.url)('js-yaml');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly shell?: string;
  readonly if?: string;
}
interface Workflow {
  readonly name: string;
  readonly on: object;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly Step[]; readonly strategy?: object; readonly env?: object }>
  >;
}
interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly {
    readonly type: string;
    readonly id: string;
    readonly attributes: { readonly label: string; readonly options?: readonly string[] };
  }[];
}

const files = new Map(readFiles('.github').map(({ path, text }) => [path, text]));
const parsed = <Value>(path: string): Value => yaml.safeLoad(files.get(path) ?? '') as Value;
const workflow = (name: string): Workflow => parsed(`.github/workflows/${name}.yml`);
const steps = ({ jobs }: Workflow): readonly Step[] => Object.values(jobs).flatMap((job) => job.steps);

/** The scripts that a command line calls by npm and that package.json does not have. */
function missingScripts(run: string, scripts: Readonly<Record<string, string>>): string[] {
  return [...run.matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b)/g)]
    .map(([, named, lifecycle]) => named ?? lifecycle)
    .filter((name) => !(name in scripts));
}

const names = ['ci', 'nightly', 'release'];

describe('the workflows', () => {
  it('are these', () => {
    const paths = [...files.keys()].filter((path) => path.startsWith('.github/workflows/'));
    expect(paths).toEqual(names.map((name) => `.github/workflows/${name}.yml`));
  });

  it.each(names)('%s calls npm scripts that exist', (name) => {
    const runs = steps(workflow(name)).flatMap(({ run }) => run ?? []);
    expect(runs.some((run) => /\bnpm (run|test)\b/.test(run))).toBe(true);
    expect(runs.flatMap((run) => missingScripts(run, rootManifest.scripts))).toEqual([]);
  });

  it.each(names)(
    '%s pins actions by their major version, and can write nothing to the repository',
    (name) => {
      const { permissions } = workflow(name);
      expect(permissions).toEqual({ contents: 'read', ...(name === 'release' && { 'id-token': 'write' }) });
      const used = steps(workflow(name)).flatMap(({ uses }) => uses ?? []);
      expect(used.filter((uses) => !/^actions\/[\w-]+@v\d+$/.test(uses))).toEqual([]);
      expect(used.length).toBeGreaterThan(1);
    },
  );

  it.each(names)('%s puts no text of others into a command line', (name) => {
    // A shell would run it: such text goes through the environment.
    expect(steps(workflow(name)).flatMap(({ run }) => run?.match(/\$\{\{/g) ?? [])).toEqual([]);
  });

  it('ci runs npm test on push and pull request, from the oldest supported Node', () => {
    const { on, jobs } = workflow('ci');
    expect(Object.keys(on)).toEqual(['push', 'pull_request']);
    expect(jobs.test.strategy).toMatchObject({ matrix: { node: [20, 22, 24] } });
    expect(rootManifest.engines.node).toBe('>=20');
    expect(jobs.test.steps.at(-1)?.run).toBe('npm test');
  });

  it('nightly prints its seed, and keeps the log of a failure', () => {
    const { on, jobs } = workflow('nightly');
    expect(on).toMatchObject({ schedule: [{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }] });
    const [job] = Object.values(jobs);
    expect(job.env).toEqual({ HUSTINGS_SEED: expect.stringContaining('github.run_number') });
    expect(job.steps).toContainEqual({ run: 'echo "HUSTINGS_SEED=$HUSTINGS_SEED"' });
    const log = /\| tee (\S+)$/;
    // Only the shell that is named has pipefail: without it, the status of a pipeline is that of tee.
    const [tests] = job.steps.filter(({ run }) => log.test(run ?? ''));
    expect(tests).toMatchObject({ run: expect.stringContaining('npm run test:long'), shell: 'bash' });
    const upload = job.steps.at(-1);
    expect(upload?.if).toContain('failure()');
    expect(upload?.with?.path).toBe(log.exec(tests.run ?? '')?.[1]);
  });

  it('release publishes by the script, on a tag of a version', () => {
    expect(workflow('release').on).toEqual({ push: { tags: ['v*'] } });
    const last = steps(workflow('release')).at(-1);
    expect(last?.run).toBe('npm run release -- "$GITHUB_REF_NAME"');
  });
});

describe('the forms of issues', () => {
  it.each(['bug', 'feature'])('%s has what GitHub needs', (name) => {
    const { body, ...form } = parsed<Form>(`.github/ISSUE_TEMPLATE/${name}.yml`);
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    expect(body.filter(({ type }) => !/^(dropdown|textarea)$/.test(type))).toEqual([]);
    const ids = body.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(body.every(({ attributes }) => attributes.label.length > 3)).toBe(true);
  });

  it('bug offers every package', () => {
    const [field] = parsed<Form>('.github/ISSUE_TEMPLATE/bug.yml').body;
    expect([...(field.attributes.options ?? [])].sort()).toEqual(MANIFESTS.map(({ name }) => name).sort());
  });

  it('send a vulnerability to the page of SECURITY.md', () => {
    expect(parsed('.github/ISSUE_TEMPLATE/config.yml')).toEqual({
      blank_issues_enabled: false,
      contact_links: [
        expect.objectContaining({ url: 'https://github.com/hustings/hustings/security/policy' }),
      ],
    });
    expect(readFiles('.').some(({ path }) => path === 'SECURITY.md')).toBe(true);
  });
});

it('every package has its owners', () => {
  const owned = (files.get('.github/CODEOWNERS') ?? '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/ +/));
  expect(owned.map(([path]) => path)).toEqual(['*', ...MANIFESTS.map(({ folder }) => `/${folder}/`)]);
  expect(new Set(owned.map(([, ...owners]) => owners.join(' ')))).toEqual(new Set(['@hustings/maintainers']));
});

describe('the search for missing scripts finds', () => {
  const scripts = { test: '', 'test:long': '' };
  it.each([
    ['npm run tset', ['tset']],
    ['npm ci || npm start', ['start']],
    ['npm run test:long 2>&1 | tee a.log', []],
    ['npm ci || npm install --no-save', []],
    ['npm test', []],
  ])('in "%s" %j', (run, missing) => expect(missingScripts(run, scripts)).toEqual(missing));
});
