/**
 * Ends test files that stand still. The runner's own limits are timers of the worker: they never fire while a loop or a
 * synchronous call blocks it.
 *
 * Guaranteed: a worker whose file has run longer than the limit is killed, with its descendants; the report names the file,
 * the test, the processes that it waited for, and its last output; the run goes on with the other files and fails.
 * Not guaranteed: that files of the same process that had not begun are run.
 */
import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { readProcess } from '../../packages/base/src/node/process-table.ts';
import { FILE_LIMIT_MS } from './file-limit.ts';
import { commandOf, descendantsOf, killTree } from './process-tree.ts';
import { type RunningFile, runningFilePath, runningFiles } from './running-files.ts';

const POLL_MS = 500;
const SHOWN_LINES = 20;

export class FileLimitReporter implements Reporter {
  readonly #folder: string;
  readonly #lines = new Map<string, string[]>();
  readonly #ended: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #vitest: Vitest | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(): void {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#look(), POLL_MS);
    this.#timer.unref();
  }

  onUserConsoleLog(log: { readonly content: string; readonly taskId?: string }): void {
    const file = log.taskId === undefined ? undefined : this.#fileOf(log.taskId);
    if (file === undefined) return;
    const lines = [...(this.#lines.get(file) ?? []), ...log.content.trimEnd().split('\n')];
    this.#lines.set(file, lines.slice(-SHOWN_LINES));
  }

  onTestModuleEnd(module: TestModule): void {
    this.#lines.delete(module.moduleId);
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
    for (const text of this.#ended) process.stderr.write(`${text}\n`);
    if (this.#ended.length > 0) process.exitCode = 1;
  }

  #fileOf(taskId: string): string | undefined {
    const task = this.#vitest?.state.idMap.get(taskId);
    return task?.file?.filepath;
  }

  #look(): void {
    for (const running of runningFiles(this.#folder))
      if (Date.now() - running.startedAtMs > FILE_LIMIT_MS) this.#end(running);
  }

  #end(running: RunningFile): void {
    const { pid, file } = running;
    // A worker that has ended in another way leaves its file, and its pid may be another process's by now.
    const isWorker = readProcess(pid)?.parent === process.pid;
    if (isWorker) {
      const text = standstill(running, this.#lines.get(file) ?? []);
      process.stderr.write(`${text}\n`);
      this.#ended.push(text);
      killTree(pid);
    }
    const path = runningFilePath(pid);
    if (path !== undefined) rmSync(path, { force: true });
  }
}

function standstill({ pid, file, test }: RunningFile, lines: readonly string[]): string {
  const path = relative(process.cwd(), file);
  const where = test === '' ? path : `${path}, in the test "${test}",`;
  const processes = descendantsOf(pid).map((child) => `  it had started: ${commandOf(child).slice(0, 300)}`);
  const output = lines.length === 0 ? [] : ['  its last output:', ...lines.map((line) => `    ${line}`)];
  return [`${where} stood still: it was ended after ${FILE_LIMIT_MS} ms.`, ...processes, ...output].join(
    '\n',
  );
}
