import './views.css';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { nodesTable } from '../../model/run/node-table.ts';
import { MAX_LABELLED_NODES, NetworkStage } from '../../model/stage/network-stage.ts';
import type { RunSelection, RunStore } from '../run/run-store.ts';
import { TextAlternative } from '../shell/text-alternative.tsx';
import { messageAt } from './message-layer.ts';
import { type NetworkElements, NetworkPainter } from './network-painter.ts';
import { NodeTargets } from './node-targets.tsx';
import { useSize } from './use-size.ts';

export interface NetworkViewProps {
  readonly store: RunStore;
  /** What just happened: the text for readers who do not see the picture. */
  readonly narration: string;
  /** The largest size of its text. */
  readonly maxText?: number;
  /** Drawn below the nodes' buttons, in the coordinates of the stage. */
  readonly overlay?: ((stage: NetworkStage) => ComponentChildren) | undefined;
}

/** The network of a run at its cursor, with its messages on their way. */
export function NetworkView({ store, narration, maxText = 16, overlay }: NetworkViewProps) {
  const { model, selection } = store;
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const [width, height] = [size?.width ?? 0, size?.height ?? 0];
  const panel = useRef<SVGGElement>(null);
  const tails = useRef<SVGGElement>(null);
  const pills = useRef<SVGGElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const painter = useRef<NetworkPainter | null>(null);
  const stage = useMemo(() => {
    if (width === 0) return null;
    const text = Math.max(11, Math.min(maxText, width / 28));
    return new NetworkStage(model, { x: 10, y: 6, width: width - 20, height: height - 12 }, text);
  }, [model, width, height, maxText]);

  useLayoutEffect(() => {
    const elements = {
      panel: panel.current,
      tails: tails.current,
      pills: pills.current,
      canvas: canvas.current,
    };
    if (stage === null || !areDrawn(elements)) return;
    painter.current = new NetworkPainter(stage, elements);
    return () => painter.current?.stop();
  }, [stage]);

  const snapshot = useMemo(() => model.snapshot(), [model, store.version.value]);
  // In the frame of the rendering, not in the next.
  useLayoutEffect(() => {
    painter.current?.show(snapshot, store.speed.peek(), store.axis.peek());
  }, [stage, snapshot]);

  const selectMessage = (target: EventTarget | null): void => {
    const message = messageAt(target);
    if (message !== null) selection.value = { type: 'message', message };
  };
  return (
    <figure class="network-view">
      <div class="network-frame" ref={frame}>
        {stage !== null && (
          <>
            <canvas ref={canvas} class="network-messages" />
            {/* biome-ignore lint/a11y/useSemanticElements: a drawing whose nodes and messages are buttons */}
            <svg
              viewBox={`0 0 ${width} ${height}`}
              role="group"
              aria-label={narration}
              onClick={({ target }) => selectMessage(target)}
              onKeyDown={({ key, target }) => {
                if (key === 'Enter' || key === ' ') selectMessage(target);
              }}
            >
              <g ref={panel} />
              {overlay?.(stage)}
              <g ref={tails} />
              <g ref={pills} />
              <SelectionRing stage={stage} selection={selection.value} />
              <NodeTargets store={store} stage={stage} />
            </svg>
          </>
        )}
      </div>
      <NodeTable store={store} />
    </figure>
  );
}

/** The table of a large network is read while it is open. */
function NodeTable({ store: { model, version } }: { readonly store: RunStore }) {
  version.value;
  const isOpen = useSignal(false);
  const isRead = isOpen.value || model.plan.topology.n <= MAX_LABELLED_NODES;
  const table = isRead ? nodesTable(model) : { caption: 'Nodes', columns: [], rows: [] };
  return (
    <TextAlternative
      id="nodes"
      {...table}
      onToggle={(open) => {
        isOpen.value = open;
      }}
    />
  );
}

function areDrawn(
  elements: { [K in keyof NetworkElements]: NetworkElements[K] | null },
): elements is NetworkElements {
  return Object.values(elements).every((element) => element !== null);
}

function SelectionRing({ stage, selection }: { stage: NetworkStage; selection: RunSelection | null }) {
  const { centres, radius } = stage.geometry;
  const at = selection?.type === 'node' ? centres[selection.node] : undefined;
  return at === undefined ? null : <circle class="selected" cx={at.x} cy={at.y} r={1.35 * radius} />;
}
