/**
 * Prints the slowest files of a run with their times, slowest first, and the sum of each project. A file over the budget is marked. A
 * run of few files needs no list.
 */
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const SHOWN_FILES = 25;
const BUDGET_SECONDS = 60;

export class SlowestFilesReporter implements Reporter {
  readonly #seconds = new Map<string, number>();
  readonly #print: (text: string) => void;

  constructor(print: (text: string) => void = (text) => void process.stdout.write(text)) {
    this.#print = print;
  }

  onTestRunStart(): void {
    this.#seconds.clear();
  }

  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, duration, setupDuration } = module.diagnostic();
    const file = `${module.project.name.padEnd(9)}  ${relative(process.cwd(), module.moduleId)}`;
    this.#seconds.set(file, (collectDuration + setupDuration + duration) / 1000);
  }

  onTestRunEnd(): void {
    if (this.#seconds.size <= SHOWN_FILES) return;
    const slowest = [...this.#seconds].sort(([, one], [, other]) => other - one).slice(0, SHOWN_FILES);
    const lines = slowest.map(
      ([file, seconds]) =>
        `${seconds.toFixed(1).padStart(7)} s  ${file}${seconds > BUDGET_SECONDS ? `  over the budget of ${BUDGET_SECONDS} s` : ''}`,
    );
    const sums = new Map<string, number>();
    for (const [file, seconds] of this.#seconds) {
      const project = file.split(' ')[0];
      sums.set(project, (sums.get(project) ?? 0) + seconds);
    }
    const all = [...sums].map(([project, seconds]) => `${project} ${seconds.toFixed(0)} s`);
    this.#print(
      `The ${SHOWN_FILES} slowest of ${this.#seconds.size} files:\n${lines.join('\n')}\nAll files: ${all.join(', ')}\n`,
    );
  }
}
