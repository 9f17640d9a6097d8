import { crossAround, starAround } from '@hustings/study/internal/drawing/svg';
import type { Branch } from '../../model/run/branch.ts';
import { placeOnAxis } from '../../model/run/run-trace.ts';
import { type TimeView, xOfPlace } from '../../model/stage/time-stage.ts';
import type { RunStore } from '../run/run-store.ts';

const ROW = 26;
const MARGIN = 14;

/** The height of the tree of this number of branches. */
export function branchTreeHeight(branches: number): number {
  return MARGIN + ROW * branches;
}

export interface BranchTreeProps {
  readonly store: RunStore;
  readonly view: TimeView;
  readonly width: number;
  readonly height: number;
}

/** The branches of a run on the axis of the diagram: where each forks, how it ends. */
export function BranchTree({ store: { model, version }, view, width, height }: BranchTreeProps) {
  version.value;
  const { branches } = model;
  const rowOf = (branch: Branch): number => MARGIN + ROW * branches.indexOf(branch);
  const xOf = (branch: Branch, position: number): number =>
    xOfPlace(view, placeOnAxis(branch.path, view.axis, position));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing whose branches are buttons
    <svg class="branches" width={width} height={height} role="group" aria-label="Branches">
      {branches.map((branch) => {
        const y = rowOf(branch);
        const end = xOf(branch, branch.length);
        const start = branch.parent === null ? xOf(branch, 0) : xOf(branch, branch.forkAt);
        const up = branch.parent === null ? y : rowOf(branch.parent);
        const bend = Math.min(14, Math.max(4, end - start));
        const line =
          branch.parent === null
            ? `M${start} ${y}H${end}`
            : `M${start} ${up}C${start + bend / 2} ${up} ${start + bend / 2} ${y} ${start + bend} ${y}H${Math.max(end, start + bend)}`;
        const isCurrent = branch === model.branch;
        const show = (): void => model.switchTo(branch.id);
        return (
          // biome-ignore lint/a11y/useSemanticElements: SVG has no button
          <g
            key={branch.id}
            role="button"
            tabIndex={0}
            aria-pressed={isCurrent}
            aria-label={`${nameOf(branch)}: ${endText(branch)}`}
            class={isCurrent ? 'branch current' : 'branch'}
            onClick={show}
            onKeyDown={({ key }) => {
              if (key === 'Enter' || key === ' ') show();
            }}
          >
            <rect class="target" x={0} y={y - ROW / 2} width={width} height={ROW} />
            <text x={4} y={y + 4}>
              {nameOf(branch)}
            </text>
            <path class="line" d={line} />
            {branch.parent !== null && <circle class="fork" cx={start} cy={up} r={3.5} />}
            <EndMark branch={branch} x={Math.max(end, start + bend)} y={y} />
          </g>
        );
      })}
    </svg>
  );
}

function nameOf(branch: Branch): string {
  return branch.parent === null ? 'schedule' : `yours ${branch.id}`;
}

function endOf(branch: Branch): 'violation' | 'leader' | 'open' {
  if (branch.path.some(({ violation }) => violation !== null)) return 'violation';
  const isDecided = branch.path.some(({ events }) =>
    events.some((event) => event.type === 'decide' && event.role === 'leader'),
  );
  return isDecided ? 'leader' : 'open';
}

const END_TEXTS = {
  violation: 'a property is violated',
  leader: 'a leader is elected',
  open: 'no leader yet',
} as const;

function endText(branch: Branch): string {
  return END_TEXTS[endOf(branch)];
}

function EndMark({ branch, x, y }: { branch: Branch; x: number; y: number }) {
  const end = endOf(branch);
  if (end === 'open') return <circle class="open" cx={x} cy={y} r={2.5} />;
  if (end === 'leader') return <path class="leader" d={starAround({ x, y }, 7)} />;
  return <path class="violation" d={crossAround({ x, y }, 5)} />;
}
