import type { Point } from '@hustings/study/drawing';
import { crossAround } from '@hustings/study/internal/drawing/svg';
import { useMemo, useRef } from 'preact/hooks';
import type { CheckReply } from '../../model/check/check-request.ts';
import { layoutStates, pathInGraph } from '../../model/check/graph-layout.ts';
import { TextAlternative } from '../shell/text-alternative.tsx';
import { useSize } from '../views/use-size.ts';

export interface StateGraphProps {
  readonly graph: NonNullable<CheckReply['graph']>;
  /** The steps of the run that is highlighted. */
  readonly steps: readonly string[];
  /** The number of steps before the cursor. */
  readonly position: number;
  readonly onSeek: (position: number) => void;
}

/** The state graph, layered by depth, with the path of a run. */
export function StateGraph({ graph, steps, position, onSeek }: StateGraphProps) {
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const path = useMemo(() => pathInGraph(graph, steps), [graph, steps]);
  const points = useMemo(() => (size === null ? null : layoutStates(graph, size)), [graph, size]);
  const onPath = new Map(path?.map((state, k) => [state, k]));
  const edgeIsOnPath = (from: number, to: number): boolean => {
    const at = onPath.get(from);
    return at !== undefined && path?.[at + 1] === to;
  };
  return (
    <figure class="state-graph">
      <figcaption>
        State graph{' '}
        <span class="caption">{`${graph.states.length} states, ${graph.edges.length} transitions`}</span>
        <span class="state-key caption" aria-hidden="true">
          {KEY.filter(({ isPath }) => path !== null || !isPath).map(({ text, ...mark }) => (
            <span key={text}>
              <svg width={26} height={26} aria-hidden="true">
                <g class="state" data-path={mark.isPath}>
                  <StateMark at={{ x: 13, y: 13 }} radius={mark.isPath ? 5.5 : 3.5} {...mark} />
                </g>
              </svg>
              {text}
            </span>
          ))}
        </span>
      </figcaption>
      <div class="state-graph-frame" ref={frame}>
        {size !== null && points !== null && (
          <svg width={size.width} height={size.height} role="img" aria-label={graphText(graph, path)}>
            {graph.edges.map(({ from, to }, k) => (
              <line
                key={k}
                class={edgeIsOnPath(from, to) ? 'edge on-path' : 'edge'}
                x1={points[from].x}
                y1={points[from].y}
                x2={points[to].x}
                y2={points[to].y}
              />
            ))}
            {graph.states.map(({ isTerminal, text, violation }, at) => {
              const place = onPath.get(at);
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: the list of steps is its keyboard alternative
                <g
                  key={at}
                  class="state"
                  data-path={place !== undefined}
                  onClick={() => {
                    if (place !== undefined) onSeek(place);
                  }}
                >
                  <title>{violation === null ? text : `${violation}: ${text}`}</title>
                  <StateMark
                    at={points[at]}
                    radius={place === undefined ? 3.5 : 5.5}
                    end={violation !== null ? 'violation' : isTerminal ? 'terminal' : null}
                    isNow={place === position}
                  />
                </g>
              );
            })}
          </svg>
        )}
      </div>
      <TextAlternative
        id="states"
        caption="The states of the graph"
        columns={['state', 'depth', 'state of the network', 'ends']}
        rows={graph.states.map(({ depth, isTerminal, text, violation }, at) => [
          at,
          depth,
          text,
          violation ?? (isTerminal ? 'ends' : ''),
        ])}
      />
    </figure>
  );
}

interface StateMarkProps {
  readonly at: Point;
  readonly radius: number;
  readonly end: 'violation' | 'terminal' | null;
  readonly isNow: boolean;
}

const KEY = [
  { text: 'on the path', end: null, isNow: false, isPath: true },
  { text: 'now', end: null, isNow: true, isPath: true },
  { text: 'end', end: 'terminal', isNow: false, isPath: false },
  { text: 'violation', end: 'violation', isNow: false, isPath: false },
] as const;

/** Without colour too: a state is a circle, an end a square, a violation a cross; now has a ring around it. */
function StateMark({ at: { x, y }, radius, end, isNow }: StateMarkProps) {
  return (
    <>
      {isNow && <circle class="now" cx={x} cy={y} r={radius + 4} />}
      {end === 'violation' ? (
        <path class="cross" d={crossAround({ x, y }, radius)} />
      ) : end === 'terminal' ? (
        <rect x={x - radius} y={y - radius} width={2 * radius} height={2 * radius} />
      ) : (
        <circle cx={x} cy={y} r={radius} />
      )}
    </>
  );
}

function graphText({ edges, states }: StateGraphProps['graph'], path: readonly number[] | null): string {
  const run = path === null ? '' : ` The run goes through ${path.length} of them.`;
  return `The state graph: ${states.length} states and ${edges.length} transitions.${run}`;
}
