import { formatFigure } from '@hustings/base';
import type { TypeReport } from '../../model/write/code-problem.ts';
import type { WriteStore } from './write-store.ts';

export interface StatusLineProps {
  readonly store: WriteStore;
  readonly line: number;
  readonly column: number;
}

/** What holds of the text, in one line. */
export function StatusLine({ store, line, column }: StatusLineProps) {
  const { checked, failure, run, runFailure, ...findings } = store.findings.value;
  const problems = [...store.errors.value, ...findings.problems];
  const searched = checked.flatMap((each) => (each.type === 'checked' ? [each] : []));
  const violated = searched.find(({ kind }) => kind === 'violated');
  const states = searched.reduce((sum, each) => sum + each.states, 0);
  const ms = searched.reduce((sum, each) => sum + each.ms, 0);
  const property = violated?.trail?.property;
  return (
    <p class="write-status" data-stale={store.isStale.value}>
      {problems.length > 0 && <span data-mark="✗">{`line ${problems[0].line}`}</span>}
      <TypeStatus report={store.types.value} />
      {failure !== null && <span data-mark="✗">ended</span>}
      {runFailure !== null && <span data-mark="✗">does not elect on 8 nodes</span>}
      {run !== null && run.leader !== null && (
        <span data-mark="✓">{`elects ${run.leader} on ${run.n} nodes, ${formatFigure(run.messages)} messages`}</span>
      )}
      {violated !== undefined && (
        <span data-mark="✗">{`${property}, ${violated.n} nodes, ${formatFigure(violated.states)} states, ${(violated.ms / 1000).toFixed(2)} s`}</span>
      )}
      {violated === undefined && searched.length > 0 && (
        <span data-mark={searched.every(({ kind }) => kind === 'holds') ? '✓' : '–'}>
          {`checked: ${formatFigure(states)} states, ${(ms / 1000).toFixed(2)} s`}
        </span>
      )}
      <span class="write-place">{`Ln ${line}, Col ${column}`}</span>
    </p>
  );
}

function TypeStatus({ report }: { readonly report: TypeReport | null }) {
  if (report === null) return null;
  if (report.type !== 'checked') return <span data-mark="–">types not checked</span>;
  const [first] = report.problems;
  if (first === undefined) return <span data-mark="✓">types</span>;
  const count = report.problems.length;
  return (
    <span data-mark="⚠">{`${count === 1 ? 'a type error' : `${count} type errors`}, line ${first.line}`}</span>
  );
}
