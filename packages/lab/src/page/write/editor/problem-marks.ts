/** Problems, each below its line. */
import { type Range, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { CodeProblem } from '../../../model/write/code-problem.ts';

/** An error stops the run; a warning, such as a wrong type, does not. */
export type Severity = 'error' | 'warning';

/** What is wrong with the text itself, found before it runs. */
export interface TextProblems {
  readonly errors: readonly CodeProblem[];
  readonly warnings: readonly CodeProblem[];
}

export const setProblems = StateEffect.define<TextProblems>();

class ProblemWidget extends WidgetType {
  constructor(
    private readonly text: string,
    private readonly severity: Severity,
  ) {
    super();
  }

  override eq(other: ProblemWidget): boolean {
    return other.text === this.text && other.severity === this.severity;
  }

  override toDOM(): HTMLElement {
    const box = document.createElement('div');
    box.className = `line-problem line-${this.severity}`;
    box.textContent = `${this.severity === 'error' ? '✗' : '⚠'} ${this.text}`;
    return box;
  }
}

/** A line that the text does not have counts as its last one. */
export function problemRanges(
  problems: readonly CodeProblem[],
  severity: Severity,
  doc: Text,
): Range<Decoration>[] {
  return problems.map(({ line, text }) => {
    const widget = new ProblemWidget(text, severity);
    const { to } = doc.line(Math.max(1, Math.min(doc.lines, line)));
    return Decoration.widget({ widget, block: true, side: 1 }).range(to);
  });
}

/** Follows edits until the next problems arrive. */
export const problemMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (value, { changes, effects, state: { doc } }) => {
    for (const effect of effects) {
      if (!effect.is(setProblems)) continue;
      const { errors, warnings } = effect.value;
      return Decoration.set(
        [...problemRanges(errors, 'error', doc), ...problemRanges(warnings, 'warning', doc)],
        true,
      );
    }
    return value.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
