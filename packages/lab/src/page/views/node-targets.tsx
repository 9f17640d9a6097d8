import { nameOfNode } from '@hustings/study/internal/drawing/placed-text';
import { textWidth } from '@hustings/study/internal/drawing/text-box';
import { effect, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ShownNode } from '../../model/run/run-snapshot.ts';
import type { NetworkStage } from '../../model/stage/network-stage.ts';
import { type RunStore, selectedNode } from '../run/run-store.ts';

export interface NodeTargetsProps {
  readonly store: RunStore;
  readonly stage: NetworkStage;
}

/** One tab stop for all nodes; the arrow keys move between them. The labels follow the run without rendering. */
export function NodeTargets({ store, stage }: NodeTargetsProps) {
  const { selection, snapshot } = store;
  const { centres, radius } = stage.geometry;
  const group = useRef<SVGGElement>(null);
  const pointed = useSignal<number | null>(null);
  const chosen = selectedNode(selection.value);
  useLayoutEffect(() => {
    const text = nodeTextOf(store);
    const labels: string[] = [];
    return effect(() =>
      snapshot.value.nodes.forEach((node, at) => {
        const label = text(node);
        if (labels[at] === label) return;
        labels[at] = label;
        group.current?.children[at]?.setAttribute('aria-label', label);
      }),
    );
  }, [store, stage]);
  const targets = useMemo(() => {
    const select = (node: number): void => {
      selection.value = { type: 'node', node };
    };
    const move = (event: KeyboardEvent, node: number): void => {
      const isNext = event.key === 'ArrowRight' || event.key === 'ArrowDown';
      if (!isNext && event.key !== 'ArrowLeft' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      event.stopPropagation();
      const next = (node + (isNext ? 1 : centres.length - 1)) % centres.length;
      select(next);
      (group.current?.children[next] as SVGElement | undefined)?.focus();
    };
    const leave = (node: number): void => {
      if (pointed.peek() === node) pointed.value = null;
    };
    return centres.map(({ x, y }, at) => (
      // biome-ignore lint/a11y/useSemanticElements: SVG has no button
      <circle
        key={at}
        class="node-target"
        cx={x}
        cy={y}
        r={Math.max(stage.hasNames ? 12 : 6, radius)}
        role="button"
        aria-pressed={chosen === at}
        tabIndex={at === (chosen ?? 0) ? 0 : -1}
        onPointerEnter={() => {
          pointed.value = at;
        }}
        onPointerLeave={() => leave(at)}
        onFocus={() => {
          pointed.value = at;
        }}
        onBlur={() => leave(at)}
        onClick={() => select(at)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') select(at);
          else move(event, at);
        }}
      />
    ));
  }, [stage, chosen]);
  return (
    <>
      <g ref={group}>{targets}</g>
      {!stage.hasNames && <NodeName store={store} stage={stage} node={pointed.value ?? chosen} />}
    </>
  );
}

const SIZE = 12;

/** The name of the node that is pointed at or selected, where nodes are too small for theirs. */
function NodeName({ store, stage, node }: NodeTargetsProps & { readonly node: number | null }) {
  const shown = node === null ? undefined : store.snapshot.value.nodes[node];
  if (node === null || shown === undefined) return null;
  const { box, geometry } = stage;
  const at = geometry.centres[node];
  const text = nodeTextOf(store)(shown);
  const width = textWidth(text, SIZE) + 12;
  const x = Math.max(box.x, Math.min(box.x + box.width - width, at.x - width / 2));
  const isAbove = at.y - geometry.radius - 26 > box.y;
  const y = isAbove ? at.y - geometry.radius - 26 : at.y + geometry.radius + 6;
  return (
    <g class="node-name">
      <rect x={x} y={y} width={width} height={20} rx={3} />
      <text x={x + width / 2} y={y + 14} font-size={SIZE} text-anchor="middle">
        {text}
      </text>
    </g>
  );
}

/** 'id 7: candidate, round 2'. */
function nodeTextOf({ model: { ids } }: RunStore): (node: ShownNode) => string {
  const name = nameOfNode(ids);
  return ({ isDead, phase, position, role }) =>
    `${ids === null ? 'node' : 'id'} ${name(position)}: ${isDead ? 'crashed' : role}${phase === null ? '' : `, ${phase}`}`;
}
