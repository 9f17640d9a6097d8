/** Arcs inside a ring, one for each token: from its owner to where it is, with a bar where it was discarded. */
import type { ComponentChildren } from 'preact';
import { tokenWays } from '../../model/lessons/token-ways.ts';
import type { NetworkStage } from '../../model/stage/network-stage.ts';
import type { RunStore } from '../run/run-store.ts';

/** The innermost arc, as a share of the outermost. */
const INNERMOST = 0.3;
/** Half the length of a bar, as a share of the distance between arcs. */
const BAR = 0.42;

/** The overlay of a network with the ways of its tokens. */
export function waysOf(store: RunStore): (stage: NetworkStage) => ComponentChildren {
  return (stage) => <TokenWays store={store} stage={stage} />;
}

function TokenWays({ store, stage }: { readonly store: RunStore; readonly stage: NetworkStage }) {
  store.version.value;
  const { centres, radius } = stage.geometry;
  const n = centres.length;
  const middle = {
    x: centres.reduce((sum, { x }) => sum + x, 0) / n,
    y: centres.reduce((sum, { y }) => sum + y, 0) / n,
  };
  const first = angleOf(centres[0], middle);
  // Clockwise or not: the shorter turn from the first node to the second.
  const turn = ((angleOf(centres[1], middle) - first + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
  const outermost = Math.hypot(centres[0].x - middle.x, centres[0].y - middle.y) - 1.6 * radius;
  const gap = (outermost * (1 - INNERMOST)) / Math.max(1, n - 1);
  const at = (r: number, hops: number): string => {
    const angle = first + turn * hops;
    return `${(middle.x + r * Math.cos(angle)).toFixed(2)} ${(middle.y + r * Math.sin(angle)).toFixed(2)}`;
  };
  return (
    <g class="token-ways">
      {tokenWays(store.model).map(({ end, hops, start }, track) => {
        const r = outermost - gap * track;
        // Short arcs one after another: a whole turn has no single arc.
        const arcs = Array.from(
          { length: hops },
          (_, k) => `A${r} ${r} 0 0 ${turn > 0 ? 1 : 0} ${at(r, start + k + 1)}`,
        );
        const [x, y] = at(r, start).split(' ');
        return (
          <g key={start} data-end={end}>
            <circle cx={x} cy={y} r={Math.max(2, gap / 5)} />
            {hops > 0 && <path d={`M${at(r, start)}${arcs.join('')}`} />}
            {end === 'discarded' && hops > 0 && (
              <path d={`M${at(r - BAR * gap, start + hops)}L${at(r + BAR * gap, start + hops)}`} />
            )}
          </g>
        );
      })}
    </g>
  );
}

function angleOf(
  at: { readonly x: number; readonly y: number },
  middle: { readonly x: number; readonly y: number },
): number {
  return Math.atan2(at.y - middle.y, at.x - middle.x);
}
