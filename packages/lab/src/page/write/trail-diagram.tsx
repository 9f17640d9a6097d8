import { timelineOf, windowScene } from '@hustings/study/drawing';
import { nameOfNode } from '@hustings/study/internal/drawing/placed-text';
import { stripParts } from '@hustings/study/internal/drawing/space-time/render';
import { textPart } from '@hustings/study/internal/drawing/space-time/render-text';
import { Topology } from '@hustings/study/kernel';
import { useId, useMemo, useRef } from 'preact/hooks';
import type { Trail } from '../../model/write/own-code.ts';
import { PAGE_PALETTE } from '../views/page-palette.ts';
import { useSize } from '../views/use-size.ts';

const TEXT = 13;
const ROW = 62;
/** The heads of the rows keep this distance from the edge. */
const LEFT = 6;
/** A step is at least this wide; a longer run scrolls in its well. */
const STEP = 26;

export interface TrailDiagramProps {
  readonly trail: Trail;
  readonly position: number;
  readonly onSeek: (position: number) => void;
}

/** The space-time diagram of a counterexample, with its cursor. */
export function TrailDiagram({ trail, position, onSeek }: TrailDiagramProps) {
  const frame = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const id = useId();
  const size = useSize(frame);
  const height = 46 + ROW * trail.n;
  const width = Math.max(size?.width ?? 0, 90 + STEP * trail.steps.length);
  const drawn = useMemo(() => {
    if (size === null) return null;
    const { announcements, events, ids, upkeep } = trail;
    const timeline = timelineOf(events, { topology: topologyOf(trail), announcements, upkeep });
    const area = { from: 0, until: Math.max(1, timeline.end), width: width - LEFT, height, text: TEXT };
    const scene = windowScene(timeline, { ...area, ids: ids === null ? null : Int32Array.from(ids) });
    const pen = { palette: PAGE_PALETTE, text: TEXT };
    const strip = [
      ...stripParts(scene.strip, pen),
      ...scene.texts.map((text) => textPart(text, PAGE_PALETTE)),
    ];
    return { strip: strip.join(''), xOf: scene.xOf, end: timeline.end };
  }, [trail, size, width, height]);
  // The events of the steps before the cursor, by the axis of the drawing.
  const timeAt = (at: number): number =>
    at === 0 ? 0 : (trail.events[trail.steps[at - 1].events - 1]?.time ?? at);
  const x = drawn === null ? 0 : drawn.xOf(Math.min(drawn.end, timeAt(position)));
  const seekTo = (event: PointerEvent): void => {
    const box = svg.current?.getBoundingClientRect();
    if (box === undefined || drawn === null) return;
    let nearest = 0;
    const distance = (at: number): number =>
      Math.abs(drawn.xOf(timeAt(at)) + LEFT - (event.clientX - box.left));
    for (let at = 1; at <= trail.steps.length; at++) if (distance(at) <= distance(nearest)) nearest = at;
    onSeek(nearest);
  };
  const name = nameOfNode(trail.ids === null ? null : Int32Array.from(trail.ids));
  return (
    <div class="trail-diagram" ref={frame} style={{ minHeight: `${height}px` }}>
      {drawn !== null && (
        <svg
          ref={svg}
          width={width}
          height={height}
          viewBox={`${-LEFT} 0 ${width} ${height}`}
          role="img"
          aria-label={`Space-time diagram of ${trail.n} nodes (${trail.steps[0]?.nodes.map((_, at) => name(at)).join(', ')}) and ${trail.steps.length} steps: ${trail.text}`}
          onPointerDown={seekTo}
          onPointerMove={(event) => {
            if (event.buttons === 1) seekTo(event);
          }}
        >
          <defs>
            <clipPath id={`${id}-past`}>
              <rect x={-LEFT} y={0} width={Math.max(0, x + LEFT)} height={height} />
            </clipPath>
            <clipPath id={`${id}-future`}>
              <rect x={x} y={0} width={Math.max(0, width - LEFT - x)} height={height} />
            </clipPath>
            <g id={`${id}-strip`} dangerouslySetInnerHTML={{ __html: drawn.strip }} />
          </defs>
          <use href={`#${id}-strip`} clip-path={`url(#${id}-future)`} class="future" />
          <use href={`#${id}-strip`} clip-path={`url(#${id}-past)`} />
          <line class="trail-cursor" x1={x} x2={x} y1={18} y2={height} />
        </svg>
      )}
    </div>
  );
}

function topologyOf({ ids, n, network }: Trail): Topology {
  if (/ring/.test(network)) return Topology.ring(n, { oneWay: /one-way/.test(network) });
  return Topology.complete(Int32Array.from(ids ?? Array.from({ length: n }, (_, at) => at + 1)));
}
