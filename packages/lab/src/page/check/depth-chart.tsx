import { formatFigure } from '@hustings/base';
import { useRef } from 'preact/hooks';
import { TextAlternative } from '../shell/text-alternative.tsx';
import { useSize } from '../views/use-size.ts';

export interface DepthChartProps {
  /** The number of states at each depth. */
  readonly widths: readonly number[];
  /** The search stopped before its end: deeper states are missing. */
  readonly isOpen: boolean;
}

/** Room for the texts of the axes. */
const [LEFT, TOP, BOTTOM, RIGHT] = [12, 22, 22, 12];

/** A state space that is too large to be drawn: how many states it has at each depth. */
export function DepthChart({ widths, isOpen }: DepthChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const most = Math.max(1, ...widths);
  const widest = widths.indexOf(most);
  const last = widths.length - 1;
  const bar = ((size?.width ?? 0) - LEFT - RIGHT) / Math.max(1, widths.length);
  const floor = (size?.height ?? 0) - BOTTOM;
  const xOf = (depth: number): number => LEFT + (depth + 0.5) * bar;
  const text = `${formatFigure(most)} states at depth ${widest}`;
  return (
    <figure class="depth-chart">
      <figcaption>
        States at each depth{' '}
        <span class="caption">
          the state graph is drawn up to 500 states of one instance
          {isOpen && '; the search stopped early, so the last depths are incomplete'}
        </span>
      </figcaption>
      <div class="depth-chart-frame" ref={frame}>
        {size !== null && (
          <svg
            width={size.width}
            height={size.height}
            role="img"
            aria-label={`The width of the state space: depths 0 to ${last}, at most ${text}.`}
          >
            {widths.map((count, depth) => {
              const height = (count / most) * (floor - TOP);
              return (
                <rect
                  key={depth}
                  class="depth-bar"
                  data-open={isOpen && depth >= last - 1}
                  x={LEFT + depth * bar}
                  y={floor - height}
                  width={Math.max(0.5, bar - (bar > 4 ? 1 : 0))}
                  height={height}
                >
                  <title>{`depth ${depth}: ${formatFigure(count)} states`}</title>
                </rect>
              );
            })}
            <line x1={LEFT} x2={size.width - RIGHT} y1={floor} y2={floor} />
            <text x={xOf(widest)} y={TOP - 7} text-anchor={anchorAt(widest / Math.max(1, last))}>
              {text}
            </text>
            <text x={LEFT} y={floor + 15}>
              depth 0
            </text>
            <text x={size.width - RIGHT} y={floor + 15} text-anchor="end">
              {last}
            </text>
          </svg>
        )}
      </div>
      <TextAlternative
        id="depths"
        caption="States at each depth"
        columns={['depth', 'states']}
        rows={widths.map((count, depth) => [depth, count])}
      />
    </figure>
  );
}

/** A text at the edge of the chart stays inside. */
function anchorAt(share: number): 'start' | 'middle' | 'end' {
  return share < 0.2 ? 'start' : share > 0.8 ? 'end' : 'middle';
}
