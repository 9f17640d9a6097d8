/** Prints the slowest files of a run with their times, slowest first. A run of few files needs no list. */
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const SHOWN_FILES = 25;

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
    const lines = slowest.map(([file, seconds]) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
    this.#print(`The ${SHOWN_FILES} slowest of ${this.#seconds.size} files:\n${lines.join('\n')}\n`);
  }
}
