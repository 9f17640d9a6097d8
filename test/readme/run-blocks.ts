// Runs the code blocks of a document as a reader would, so that every documented command works.
//
// Guarantees: commands write into a temporary folder of the document, never into the repository; no command installs
// anything; `npm test` is never run from within the tests.
// Does not guarantee: that the output is the one that the document shows.

import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { MANIFESTS } from '../../scripts/sources.mjs';
import { runProcess, startProcess } from '../../test-kit/limits/child-process.ts';
import { effort } from '../../test-kit/limits/effort.ts';
import { type Block, type Command, commandsOf } from './blocks.ts';

export interface Outcome {
  readonly status: 'passed' | 'skipped' | 'failed';
  readonly detail: string;
}

/** The folder in which the blocks of a document run in order: a later block finds the files of an earlier one. */
export interface Sandbox {
  readonly root: string;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** The type errors of scripts that were compiled together (`checkScripts`), by file. */
  readonly checked: Map<string, { readonly code: string; readonly errors: string }>;
  remove(): void;
}

const SHELL = ['sh', 'bash', 'console'];
const SCRIPT = ['ts', 'js'];
const OURS = MANIFESTS.map(({ name }) => name);
const DEFAULT_LIMIT_MS = 60_000;
const SERVING_MS = 2_000;

export const isRunnable = ({ language }: Block): boolean => [...SHELL, ...SCRIPT].includes(language);

/** `libraries` are those that the blocks import beside hustings. */
export function createSandbox(root: string, libraries: readonly string[] = []): Sandbox {
  const base = mkdtempSync(join(tmpdir(), 'hustings-readme-'));
  const folder = join(base, 'here');
  const bin = join(base, 'bin');
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  mkdirSync(bin);
  for (const name of [...OURS, ...libraries]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(realpathSync(join(root, 'node_modules', name)), join(modules, name), 'dir');
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
  const main = join(root, 'packages/hustings/dist/cli/main.js');
  shim(bin, 'hustings', `exec "${process.execPath}" "${main}" "$@"`);
  // The real npx would look for the command in a registry.
  shim(
    bin,
    'npx',
    // tsx is not installed. hustings run compiles by the same library, and finds the nearest tsconfig.json itself.
    '[ "$1" = tsx ] && { shift; [ "$1" = --tsconfig ] && shift 2; exec hustings run "$@"; }\n' +
      '[ "$1" = hustings ] || { echo "only npx hustings is run" >&2; exit 9; }\nshift\nexec hustings "$@"',
  );
  const env = {
    ...process.env,
    PATH: bin + delimiter + process.env.PATH,
    HUSTINGS_README_RUN: '1',
    NO_COLOR: '1',
  };
  return {
    root,
    folder,
    env,
    checked: new Map(),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

function shim(bin: string, name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
}

export async function runBlock(block: Block, place: Sandbox, limitMs = DEFAULT_LIMIT_MS): Promise<Outcome> {
  if (block.notRun !== undefined) {
    return block.notRun === ''
      ? { status: 'failed', detail: 'the comment "not run:" gives no reason' }
      : { status: 'skipped', detail: block.notRun };
  }
  if (SCRIPT.includes(block.language)) return runScript(block, place, limitMs);
  return runCommands(commandsOf(block), place, limitMs);
}

/** Passes if all commands pass; skipped if none runs. */
async function runCommands(commands: readonly Command[], place: Sandbox, limitMs: number): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const command of commands) {
    const outcome = await runCommand(command, place, limitMs);
    if (outcome.status === 'failed') return outcome;
    outcomes.push(outcome);
  }
  const detail = outcomes.map((outcome) => outcome.detail).join('\n');
  return { status: outcomes.some(({ status }) => status === 'passed') ? 'passed' : 'skipped', detail };
}

/** How a line is treated that does not simply run in the sandbox. */
type Treatment =
  | { readonly skip: string }
  | { readonly refuse: string }
  | { readonly run: string; readonly untilLine?: true };

/** What `npm test` runs before the tests. */
const RUN_BEFORE = ['typecheck', 'lint'];
/** One comparison of the simulator takes seconds, and all of them half a minute. */
const FEW = effort({ quick: ' --only bully', full: '' });

export function treatNpm(text: string): Treatment | undefined {
  const [npm, verb, script] = text.split(/\s+/);
  if (npm !== 'npm') return undefined;
  if (verb === 'test' || verb === 't' || (verb === 'run' && /^test\b/.test(script))) {
    return { skip: `${text}: these are the tests that are running` };
  }
  if (verb === 'start') return { run: text, untilLine: true };
  if (verb === 'run' && script === 'format') return { skip: `${text}: it rewrites the sources` };
  if (verb === 'run' && (script === 'bench' || script === 'bench:check' || script === 'bench:lease')) {
    const command = text.replace(/\s+#.*/, '');
    const quick = command.includes('--quick')
      ? command
      : `${command}${/ -- /.test(command) ? '' : ' --'} --quick`;
    return { run: script === 'bench' ? `${quick}${FEW}` : quick };
  }
  if (verb === 'run' && RUN_BEFORE.includes(script)) return { skip: `${text}: npm test runs it first` };
  if (verb === 'run' && script === 'build') return { run: text };
  return { refuse: `${text}: is not run here; put <!-- not run: REASON --> before the block` };
}

/** Node runs TypeScript from 22.18. On an older one, `hustings run` does. */
const RUNS_TYPESCRIPT = Boolean((process.features as { typescript?: unknown }).typescript);
export const withTypeScript = (text: string): string =>
  RUNS_TYPESCRIPT ? text : text.replace(/(?<=^|[&;] |\w=\w+ )node (?=\S+\.ts\b)/g, 'hustings run ');

async function runCommand({ text, exitCode }: Command, place: Sandbox, limitMs: number): Promise<Outcome> {
  const npm = treatNpm(text);
  if (npm && 'skip' in npm) return { status: 'skipped', detail: npm.skip };
  if (npm && 'refuse' in npm) return { status: 'failed', detail: npm.refuse };
  // Each line has its own shell, so a change of folder would be lost.
  if (/^cd\b/.test(text)) return { status: 'failed', detail: `${text}: each line runs in the same folder` };
  const cwd = npm ? place.root : place.folder;
  const { code, output } = await shell(npm?.run ?? withTypeScript(text), {
    cwd,
    place,
    limitMs,
    untilLine: npm?.untilLine ?? false,
  });
  return code === exitCode
    ? { status: 'passed', detail: output }
    : { status: 'failed', detail: `${text}\nended with ${code}, not ${exitCode}:\n${output}` };
}

interface ShellOptions {
  readonly cwd: string;
  readonly place: Sandbox;
  readonly limitMs: number;
  /** For a command that may run forever: stopped, as a success, a while after its first line of output. */
  readonly untilLine: boolean;
}

function shell(text: string, options: ShellOptions): Promise<{ code: number | string; output: string }> {
  const { cwd, place, limitMs, untilLine } = options;
  return new Promise((resolve, reject) => {
    // A process group, so that all processes of the shell end with it.
    const child = startProcess('bash', ['-c', text], {
      cwd,
      env: place.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const end = (): void => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    };
    let output = '';
    let reason: number | string | undefined;
    let serving: NodeJS.Timeout | undefined;
    const timer = setTimeout(() => {
      reason = `no end within ${limitMs} ms`;
      end();
    }, limitMs);
    child.stdout.on('data', (data) => {
      output += data;
      if (!untilLine || serving !== undefined || !hasOwnLine(output)) return;
      // A program that ends by itself in the meantime counts with its exit code.
      serving = setTimeout(() => {
        reason = 0;
        end();
      }, SERVING_MS);
    });
    child.stderr.on('data', (data) => {
      output += data;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      clearTimeout(serving);
      resolve({ code: reason ?? code ?? signal ?? 'no code', output });
    });
  });
}

/** npm begins by printing `> name@version script` and the script; what follows is the program's. */
function hasOwnLine(output: string): boolean {
  return output
    .split('\n')
    .slice(0, -1)
    .some((line) => line.trim() !== '' && !/^(>|npm |hustings: )/.test(line));
}

/** A first line `// name.ts` names the file, for a later command that uses it. */
const fileOf = ({ code, line, language }: Block): string =>
  /^\/\/ ([a-z0-9-]+\.[tj]s)\s*$/m.exec(code.split('\n')[0])?.[1] ?? `line-${line}.${language}`;

async function runScript(block: Block, place: Sandbox, limitMs: number): Promise<Outcome> {
  const name = fileOf(block);
  writeFileSync(join(place.folder, name), `${block.code}\n`);
  if (block.language === 'ts') {
    const known = place.checked.get(name);
    const errors =
      known?.code === block.code ? known.errors : typeErrors([join(place.folder, name)], place)[0];
    if (errors !== '') return { status: 'failed', detail: errors };
  }
  // Node 20 itself runs no TypeScript.
  const command = { text: `${block.language === 'ts' ? 'npx hustings run' : 'node'} ${name}`, exitCode: 0 };
  return runCommands([command], place, limitMs);
}

/**
 * Compiles the scripts of several documents at once: starting the compiler for each takes two seconds. A file that a document
 * writes twice is compiled when its block runs.
 */
export function checkScripts(documents: readonly (readonly [Sandbox, readonly Block[]])[]): void {
  const all = documents.flatMap(([place, blocks]) =>
    blocks
      .filter(({ language, notRun }) => language === 'ts' && notRun === undefined)
      .map((block) => ({ place, name: fileOf(block), code: block.code })),
  );
  const pathOf = ({ place, name }: { place: Sandbox; name: string }): string => join(place.folder, name);
  const paths = all.map(pathOf);
  const scripts = all.filter((script) => paths.indexOf(pathOf(script)) === paths.lastIndexOf(pathOf(script)));
  if (scripts.length === 0) return;
  for (const script of scripts) writeFileSync(pathOf(script), `${script.code}\n`);
  const errors = typeErrors(scripts.map(pathOf), scripts[0].place);
  for (const [at, { place, name, code }] of scripts.entries()) {
    place.checked.set(name, { code, errors: errors[at] });
  }
}

/** The type errors of each file. */
function typeErrors(paths: readonly string[], place: Sandbox): string[] {
  const config = {
    compilerOptions: {
      strict: true,
      target: 'ES2022',
      lib: ['ES2023', 'ESNext.Disposable'],
      module: 'nodenext',
      types: ['node'],
      typeRoots: [join(place.root, 'node_modules', '@types')],
      noEmit: true,
      allowImportingTsExtensions: true,
    },
    files: paths,
  };
  writeFileSync(join(place.folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(place.root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout, stderr } = runProcess(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], {
    cwd: place.folder,
  });
  // An error begins with its file; further lines of it are indented.
  const errors = `${stdout}${stderr}`.split(/\n(?=\S)/);
  const ofFile = paths.map((path) =>
    errors.filter((error) => resolve(place.folder, error.split('(')[0]) === path).join('\n'),
  );
  const isExplained = status === 0 || ofFile.some((text) => text !== '');
  return ofFile.map((text, at) => {
    if (isExplained && text === '') return '';
    return `${basename(paths[at])} does not compile:\n${text || errors.join('\n')}`;
  });
}
