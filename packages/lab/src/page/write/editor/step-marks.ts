/** What stands beside and below the lines: the steps that ran them, the lines of the current step, and what failed there. */
import { RangeSet, RangeSetBuilder, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter } from '@codemirror/view';
import type { CodeProblem } from '../../../model/write/code-problem.ts';
import { problemRanges } from './problem-marks.ts';

export interface LineMarks {
  /** The numbers of the steps that ran a line, by line. */
  readonly steps: ReadonlyMap<number, readonly number[]>;
  /** The number of the current step; 0 if there is none. */
  readonly now: number;
  /** What failed when the text ran. */
  readonly problems: readonly CodeProblem[];
}

export const NO_MARKS: LineMarks = { steps: new Map(), now: 0, problems: [] };

export const setMarks = StateEffect.define<LineMarks>();

/** More steps than this at a line are counted. */
const MAX_SHOWN = 4;

class StepMarker extends GutterMarker {
  constructor(
    private readonly steps: readonly number[],
    private readonly now: number,
  ) {
    super();
  }

  override eq(other: StepMarker): boolean {
    return other.now === this.now && other.steps.join() === this.steps.join();
  }

  override toDOM(): Node {
    const box = document.createElement('span');
    const around = Math.max(0, Math.min(this.steps.indexOf(this.now), this.steps.length - MAX_SHOWN));
    const shown = this.steps.slice(around, around + MAX_SHOWN);
    for (const step of shown) {
      const mark = document.createElement('span');
      mark.className = 'step-mark';
      mark.dataset.now = String(step === this.now);
      mark.textContent = String(step);
      box.append(mark);
    }
    if (this.steps.length > shown.length) box.append('…');
    box.title = `run in the steps ${this.steps.join(', ')}`;
    return box;
  }
}

interface Shown {
  readonly lines: DecorationSet;
  readonly gutter: RangeSet<GutterMarker>;
}

function shownOf({ now, problems, steps }: LineMarks, doc: Text): Shown {
  const lines = [];
  const gutterBuilder = new RangeSetBuilder<GutterMarker>();
  const known = [...steps].filter(([line]) => line >= 1 && line <= doc.lines).sort(([a], [b]) => a - b);
  for (const [line, numbers] of known) {
    const { from } = doc.line(line);
    gutterBuilder.add(from, from, new StepMarker(numbers, now));
    if (numbers.includes(now)) lines.push(Decoration.line({ class: 'line-now' }).range(from));
  }
  lines.push(...problemRanges(problems, 'error', doc));
  return { lines: Decoration.set(lines, true), gutter: gutterBuilder.finish() };
}

/** Follows edits until the next marks arrive. */
const shown = StateField.define<Shown>({
  create: () => ({ lines: Decoration.none, gutter: RangeSet.empty }),
  update: (value, { changes, effects, state }) => {
    for (const effect of effects) if (effect.is(setMarks)) return shownOf(effect.value, state.doc);
    return { lines: value.lines.map(changes), gutter: value.gutter.map(changes) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ lines }) => lines),
});

export const stepMarks = [
  gutter({ class: 'step-gutter', markers: (view) => view.state.field(shown).gutter }),
  shown,
];
