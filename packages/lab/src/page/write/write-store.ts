/** The text on the page Write, what is known of it, and those who find it out: transpiler, type checker and sandbox. */
import { batch, computed, signal } from '@preact/signals';
import type { CodeProblem, TypeReport } from '../../model/write/code-problem.ts';
import type { Trail } from '../../model/write/own-code.ts';
import { type Compilation, compile } from './code/compile.ts';
import { exampleText, forkText } from './code/library.ts';
import { TypeChecker } from './code/type-checker.ts';
import { currentFile, forgetFile, freeName, keepFile, type OwnFile, readFiles } from './files.ts';
import { type Findings, NOTHING, withEvent } from './findings.ts';
import { Sandbox } from './sandbox/sandbox.ts';

/** After the last key: errors of the text, then the run and the search. */
const ERRORS_MS = 300;
const RUN_MS = 800;
export const DEFAULT_UP_TO = 4;

export class WriteStore {
  readonly file = signal<OwnFile>(currentFile() ?? firstFile());
  readonly files = signal<readonly OwnFile[]>(readFiles());
  /** A text that a link brought. It does not run before the reader says so. */
  readonly linked = signal<string | null>(null);
  /** Errors of the transpiler: such a text cannot run. */
  readonly errors = signal<readonly CodeProblem[]>([]);
  /** Null as long as it is unknown. */
  readonly types = signal<TypeReport | null>(null);
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
  /** The example that the page begins with is saved when it is edited. */
  readonly isSaved = computed(
    () => this.linked.value === null && this.files.value.some(({ id }) => id === this.file.value.id),
  );
  /** The file that was deleted last, until another one is opened. */
  readonly deleted = signal<OwnFile | null>(null);
  /** The text that the editor shows changed, but not by typing. */
  onText: (text: string) => void = () => {};
  /** A linked text was shown, and its parameter is still in the URL. */
  hadLink = false;

  private readonly sandbox = new Sandbox();
  private readonly typeChecker = new TypeChecker((report) => {
    this.types.value = report;
  });
  /** Changes with every file that is shown or asked for. */
  private shown = 0;
  private errorsTimer = 0;
  private runTimer = 0;
  private compiled: { readonly text: string; readonly compilation: Compilation } | null = null;
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
    if (!this.isSaved.peek()) this.files.value = readFiles();
    this.isStale.value = true;
    // A result of the older text would be taken for one of this text.
    this.stop();
    this.errorsTimer = window.setTimeout(() => this.findErrors(), ERRORS_MS);
    this.runTimer = window.setTimeout(() => this.run(), RUN_MS);
  }

  private stop(): void {
    clearTimeout(this.errorsTimer);
    clearTimeout(this.runTimer);
    this.typeChecker.forget();
    this.sandbox.cancel();
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
    const shown = ++this.shown;
    const text = await forkText(name);
    // The reader may have opened another file while this one was loaded.
    if (shown === this.shown) this.begin(text, `my-${name}`, name);
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

  /** Deletes the current file, and opens another one. */
  forget(): void {
    const file = this.file.peek();
    forgetFile(file.id);
    this.files.value = readFiles();
    const next = this.files.peek().at(-1);
    if (next === undefined) this.beginExample('my-first-election');
    else this.open(next.id);
    this.deleted.value = file;
  }

  /** Brings back the file that was deleted last. */
  restore(): void {
    const file = this.deleted.peek();
    if (file === null) return;
    this.show(file);
    this.keep();
  }

  showLinked(text: string): void {
    batch(() => {
      this.hadLink = true;
      this.linked.value = text;
      this.forgetFindings();
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
      this.deleted.value = null;
      this.forgetFindings();
    });
    this.onText(file.text);
    this.run();
  }

  /** Another text is shown. */
  private forgetFindings(): void {
    this.shown++;
    this.stop();
    this.compiled = null;
    this.errors.value = [];
    this.types.value = null;
    this.findings.value = NOTHING;
    this.isStale.value = false;
    this.position.value = 0;
    this.shownTrail = 'null';
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

  /** Compiles the text, and asks for its type errors. */
  private findErrors(): Compilation {
    clearTimeout(this.errorsTimer);
    const { text } = this.file.peek();
    if (this.compiled?.text === text) return this.compiled.compilation;
    const compilation = compile(text);
    this.compiled = { text, compilation };
    batch(() => {
      this.errors.value = compilation.type === 'refused' ? compilation.problems : [];
      if (compilation.type === 'refused') this.types.value = null;
      else this.typeChecker.check(text);
    });
    return compilation;
  }

  /** Runs the text in the sandbox. The old findings stay until the new ones are complete. */
  run(): void {
    clearTimeout(this.runTimer);
    if (this.linked.peek() !== null) return;
    const compiled = this.findErrors();
    if (compiled.type === 'refused') {
      this.sandbox.cancel();
      this.publish({ ...NOTHING, isOver: true });
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
    this.stop();
    this.typeChecker.dispose();
    this.sandbox.dispose();
  }
}

function firstFile(): OwnFile {
  const name = 'my-first-election';
  return { id: 'first', name: `${name}.ts`, text: exampleText(name), forkOf: null };
}
