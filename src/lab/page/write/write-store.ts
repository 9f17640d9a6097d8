/** The text on the page Write, what is known of it, and the sandbox that finds it out. */
import { batch, computed, signal } from '@preact/signals';
import { ANY_HANDLER, type OwnCodeReply, type Trail } from '../../model/write/own-code.ts';
import { compile } from './code/compile.ts';
import { exampleText, forkText } from './code/library.ts';
import type { CodeProblem, HandlerPlace } from './code/source-tree.ts';
import { currentFile, forgetFile, freeName, keepFile, type OwnFile, readFiles } from './files.ts';
import { Sandbox, type SandboxEvent } from './sandbox/sandbox.ts';

export type RunReply = Extract<OwnCodeReply, { type: 'ran' }>;
export type CheckedReply = Extract<OwnCodeReply, { type: 'checked' | 'skipped' }>;

/** What is known of a text. */
export interface Findings {
  readonly problems: readonly CodeProblem[];
  readonly run: RunReply | null;
  readonly checked: readonly CheckedReply[];
  /** Why the sampled run has no leader; null if it has one. */
  readonly runFailure: string | null;
  /** What went wrong without a line, or a handler that did not return; null if nothing. */
  readonly failure: string | null;
  readonly isOver: boolean;
}

const NOTHING: Findings = {
  problems: [],
  run: null,
  checked: [],
  runFailure: null,
  failure: null,
  isOver: false,
};

/** After the last key. The search follows the run in the same worker. */
const RUN_MS = 300;
export const DEFAULT_UP_TO = 4;

export class WriteStore {
  readonly file = signal<OwnFile>(currentFile() ?? firstFile());
  readonly files = signal<readonly OwnFile[]>(readFiles());
  /** A text that a link brought. It does not run before the reader says so. */
  readonly linked = signal<string | null>(null);
  readonly findings = signal<Findings>(NOTHING);
  /** The findings belong to an older text. */
  readonly isStale = signal(false);
  readonly states = signal(0);
  readonly upTo = signal(DEFAULT_UP_TO);
  /** The number of steps of the counterexample before the cursor. */
  readonly position = signal(0);
  readonly trail = computed<Trail | null>(() => {
    for (const each of this.findings.value.checked)
      if (each.type === 'checked' && each.trail !== null) return each.trail;
    return null;
  });
  /** The text that the editor shows changed, but not by typing. */
  onText: (text: string) => void = () => {};
  /** A linked text was shown, and its parameter is still in the URL. */
  hadLink = false;

  private readonly sandbox = new Sandbox();
  private timer = 0;
  /** The counterexample that `position` is a place in, as JSON. */
  private shownTrail = 'null';

  get text(): string {
    return this.linked.value ?? this.file.value.text;
  }

  /** The reader typed. */
  edit(text: string): void {
    if (this.linked.peek() !== null) {
      this.linked.value = text;
      return;
    }
    this.file.value = { ...this.file.peek(), text };
    keepFile(this.file.peek());
    this.isStale.value = true;
    // A result of the older text would be taken for one of this text.
    this.sandbox.cancel();
    this.runSoon();
  }

  rename(name: string): void {
    const base = name
      .trim()
      .replace(/\.ts$/, '')
      .replace(/[^\w.-]+/g, '-');
    if (base === '') return;
    this.file.value = { ...this.file.peek(), name: `${base}.ts` };
    this.keep();
  }

  /** Begins a new file; the others stay. */
  begin(text: string, base: string, forkOf: string | null): void {
    const name = freeName(base, this.files.peek());
    this.show({ id: crypto.randomUUID(), name, text, forkOf });
    this.keep();
  }

  async fork(name: string): Promise<void> {
    this.begin(await forkText(name), `my-${name}`, name);
  }

  beginExample(name: 'my-first-election' | 'my-election'): void {
    this.begin(exampleText(name), name, null);
  }

  open(id: string): void {
    const file = readFiles().find((each) => each.id === id);
    if (file === undefined) return;
    this.show(file);
    this.keep();
  }

  /** Deletes the current file. */
  forget(): void {
    forgetFile(this.file.peek().id);
    this.files.value = readFiles();
    const next = this.files.peek().at(-1);
    if (next === undefined) this.beginExample('my-first-election');
    else this.open(next.id);
  }

  showLinked(text: string): void {
    this.sandbox.cancel();
    clearTimeout(this.timer);
    batch(() => {
      this.hadLink = true;
      this.linked.value = text;
      this.findings.value = NOTHING;
      this.isStale.value = false;
    });
    this.onText(text);
  }

  /** The reader wants the linked text to run: from now on it is a file. */
  acceptLinked(): void {
    const text = this.linked.peek();
    if (text === null) return;
    const [, name = 'linked'] = /\bname:\s*'([\w-]+)'/.exec(text) ?? [];
    this.begin(text, name, null);
  }

  private show(file: OwnFile): void {
    batch(() => {
      this.linked.value = null;
      this.file.value = file;
      this.findings.value = NOTHING;
      this.isStale.value = false;
      this.position.value = 0;
    });
    this.onText(file.text);
    this.run();
  }

  private keep(): void {
    keepFile(this.file.peek());
    this.files.value = readFiles();
  }

  setUpTo(nodes: number): void {
    this.upTo.value = nodes;
    this.isStale.value = true;
    this.run();
  }

  private runSoon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.run(), RUN_MS);
  }

  /** Runs the text in the sandbox. The old findings stay until the new ones are complete. */
  run(): void {
    clearTimeout(this.timer);
    if (this.linked.peek() !== null) return;
    const compiled = compile(this.file.peek().text);
    if (compiled.type === 'refused') {
      this.sandbox.cancel();
      this.publish({ ...NOTHING, problems: compiled.problems, isOver: true });
      return;
    }
    const { handlers, plain, probed } = compiled;
    let next = NOTHING;
    this.states.value = 0;
    void this.sandbox.run({ plain, probed, upTo: this.upTo.peek() }, (event) => {
      if (event.type === 'alive') {
        this.states.value = event.states;
        return;
      }
      next = withEvent(next, event, handlers);
      const shown = this.findings.peek();
      // A verdict is replaced by a verdict: what is known halfway is shown only if less is shown.
      const isMore = !this.isStale.peek() && !shown.isOver && next.checked.length >= shown.checked.length;
      if (next.isOver || isMore) this.publish(next);
    });
  }

  private publish(findings: Findings): void {
    batch(() => {
      this.findings.value = findings;
      this.isStale.value = false;
      const trail = this.trail.peek();
      // The reader stays at a step of a counterexample that was found again.
      const found = JSON.stringify(trail);
      if (found !== this.shownTrail) this.position.value = trail?.steps.length ?? 0;
      this.shownTrail = found;
    });
  }

  seek(position: number): void {
    const length = this.trail.peek()?.steps.length ?? 0;
    this.position.value = Math.max(0, Math.min(length, position));
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.sandbox.dispose();
  }
}

function firstFile(): OwnFile {
  const name = 'my-first-election';
  return { id: 'first', name: `${name}.ts`, text: exampleText(name), forkOf: null };
}

/** One more event of the sandbox. */
export function withEvent(
  findings: Findings,
  event: Exclude<SandboxEvent, { type: 'alive' }>,
  handlers: readonly HandlerPlace[],
): Findings {
  switch (event.type) {
    case 'again':
      return NOTHING;
    case 'ran':
      return { ...findings, run: event };
    case 'checked':
    case 'skipped':
      return { ...findings, checked: [...findings.checked, event] };
    case 'failed': {
      const isOver = event.stage === 'load';
      if (event.stage === 'run' && event.line === null) return { ...findings, runFailure: `${event.text}.` };
      if (event.line === null) return { ...findings, failure: `${event.text}.`, isOver };
      const problem = { line: event.line, text: event.text };
      return { ...findings, problems: [...findings.problems, problem], isOver };
    }
    case 'hung':
      return { ...findings, failure: hungText(event.handler, handlers), isOver: true };
    case 'died':
      return { ...findings, failure: `The worker was ended: ${event.text}.`, isOver: true };
    case 'done':
      return { ...findings, isOver: true };
  }
}

function hungText(handler: string | null, handlers: readonly HandlerPlace[]): string {
  if (handler === null) return 'The code did not return while it was loaded. The worker was ended.';
  if (handler === ANY_HANDLER) return 'A handler of the algorithm did not return. The worker was ended.';
  const place = handlers.find(({ name }) => name === handler);
  const line = place === undefined ? '' : ` (line ${place.line})`;
  return `The algorithm did not return from \`${handler}\`${line}. The worker was ended.`;
}
