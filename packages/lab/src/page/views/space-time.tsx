import './views.css';
import type { SceneArrow, WindowScene } from '@hustings/study/drawing';
import { nameOfNode } from '@hustings/study/internal/drawing/placed-text';
import { stripParts } from '@hustings/study/internal/drawing/space-time/render';
import { textPart } from '@hustings/study/internal/drawing/space-time/render-text';
import { formatMessage } from '@hustings/study/kernel';
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { positionAtX, type TimeView, timeView, windowAt, xOfPosition } from '../../model/stage/time-stage.ts';
import type { RunStore } from '../run/run-store.ts';
import { TextAlternative } from '../shell/text-alternative.tsx';
import { BranchTree, branchTreeHeight } from './branch-tree.tsx';
import { mergedPaths } from './merged-paths.ts';
import { PAGE_PALETTE } from './page-palette.ts';
import { RowHeads } from './row-heads.tsx';
import { useSize } from './use-size.ts';

const TEXT = 13;
/** Above this number of messages in the window they have no targets for the pointer. */
const MAX_TARGETS = 400;
/** Room on the left for the names of branches. */
const LEFT = 34;
const LEFT_ON_PHONE = 6;

export interface SpaceTimeProps {
  readonly store: RunStore;
  /** Without the tree of branches, for two runs side by side. */
  readonly isPlain?: boolean;
}

/** The space-time diagram of a run, with its cursor; below it the branches, on the same axis. */
export function SpaceTime({ store, isPlain = false }: SpaceTimeProps) {
  const { model } = store;
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const [width, height] = [size?.width ?? 0, size?.height ?? 0];
  const axis = store.axis.value;
  store.version.value;
  const { branch } = model;
  const treeHeight = isPlain || model.branches.length < 2 ? 0 : branchTreeHeight(model.branches.length);
  const left = width < 500 ? LEFT_ON_PHONE : LEFT;
  const area = { left, width: width - left - 8, height: height - treeHeight, text: TEXT };
  // Beside the heads of the rows.
  const hasRoom = area.width > 0;
  const { from, until } = hasRoom ? windowAt(model, axis, area) : { from: 0, until: 0 };
  const view = useMemo(
    () => (hasRoom ? timeView(model, axis, { from, until }, area) : null),
    [model, axis, width, height, treeHeight, branch.id, branch.version, from, until],
  );
  return (
    <figure class="space-time">
      <div class="space-time-frame" ref={frame}>
        {view !== null && (
          <>
            <Diagram store={store} view={view} width={width} height={height - treeHeight} />
            {treeHeight > 0 && <BranchTree store={store} view={view} width={width} height={treeHeight} />}
            <Cursor store={store} view={view} height={height} />
          </>
        )}
      </div>
      <EventTable store={store} />
    </figure>
  );
}

interface DiagramProps {
  readonly store: RunStore;
  readonly view: TimeView;
  readonly width: number;
  readonly height: number;
}

/** The drawing of a window with its axis, and above it what the pointer meets. */
function Diagram({ store, view, width, height }: DiagramProps) {
  // A component whose properties stay the same is rendered again only for the signals that it reads.
  store.version.value;
  const { model } = store;
  const svg = useRef<SVGSVGElement>(null);
  const scrub = (event: PointerEvent): void => {
    const box = svg.current?.getBoundingClientRect();
    if (box !== undefined) model.seek(positionAtX(model, view, event.clientX - box.left));
  };
  const pointed = store.pointed.value;
  const isEntered = useSignal(false);
  return (
    <>
      <Layers store={store} view={view} width={width} height={height} />
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing that is dragged over */}
      <svg
        ref={svg}
        class="diagram"
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label="Space-time diagram"
        onPointerDown={(event) => {
          svg.current?.setPointerCapture(event.pointerId);
          scrub(event);
        }}
        onPointerMove={(event) => {
          if (event.buttons === 1) scrub(event);
        }}
        onPointerEnter={() => {
          isEntered.value = true;
        }}
        onPointerLeave={() => {
          isEntered.value = false;
        }}
      >
        <g transform={`translate(${view.left})`}>
          <RowHeads store={store} view={view} />
          <PointedPath store={store} view={view} />
          {isEntered.value && <Targets store={store} view={view} />}
        </g>
        {pointed !== null && <title>{pointedText(store, pointed)}</title>}
      </svg>
    </>
  );
}

/** Past in ink, future faded: a veil covers the drawing from the cursor on. A step moves the veil, and paints nothing again. */
function Layers({ store: { model, version }, view, width, height }: DiagramProps) {
  version.value;
  const x = xOfPosition(model, view, model.position) ?? 0;
  const drawn = useMemo(() => {
    const layer = (html: string) => (
      <svg class="layer" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <g transform={`translate(${view.left})`} dangerouslySetInnerHTML={{ __html: html }} />
      </svg>
    );
    const axis = view.scene.texts.filter(({ role }) => role === 'axis');
    return {
      strip: layer(stripHtml(view.scene)),
      axis: layer(axis.map((text) => textPart(text, PAGE_PALETTE)).join('')),
    };
  }, [view, width, height]);
  return (
    <>
      {drawn.strip}
      <div class="veil" style={{ left: `${Math.max(0, x)}px` }} />
      {drawn.axis}
    </>
  );
}

/** In a crowded window all lines of one style are one element: a browser lays out hundreds of elements in the time of a frame, not thousands. */
function stripHtml({ strip, texts }: WindowScene): string {
  const pen = { palette: PAGE_PALETTE, text: TEXT };
  const nothing = { ...strip, bands: [], ticks: [], lines: [], arrows: [], marks: [], heads: [] };
  const parts = (some: Partial<typeof strip>): string[] => stripParts({ ...nothing, ...some }, pen);
  const joined = strip.isCrowded ? mergedPaths : (all: string[]): string[] => all;
  return [
    ...parts({ bands: strip.bands, ticks: strip.ticks }),
    ...joined(parts({ lines: strip.lines })),
    ...joined(parts({ arrows: strip.arrows })),
    ...parts({ marks: strip.marks }),
    ...texts
      .filter(({ role }) => role !== 'name' && role !== 'axis')
      .map((text) => textPart(text, PAGE_PALETTE)),
  ].join('');
}

function pathOfArrow({ segments }: SceneArrow): string {
  return segments.map(({ line: [a, b] }) => `M${a.x} ${a.y}L${b.x} ${b.y}`).join('');
}

/** A message, what caused it, and what it caused. */
function PointedPath({ store, view }: { store: RunStore; view: TimeView }) {
  const pointed = store.pointed.value;
  if (pointed === null) return null;
  const { model } = store;
  const causality = model.trace().causality();
  const arrows = new Map(view.scene.strip.arrows.map((arrow) => [arrow.sending, arrow]));
  const draw = (sending: number, kind: string) => {
    const arrow = arrows.get(sending);
    return arrow === undefined ? null : (
      <path key={`${kind}${sending}`} class={kind} d={pathOfArrow(arrow)} />
    );
  };
  return (
    <g class="causal">
      {causality.sendsBefore(pointed).map((sending) => draw(sending, 'cause'))}
      {causality.sendsAfter(pointed).map((sending) => draw(sending, 'effect'))}
      {draw(pointed, 'pointed')}
    </g>
  );
}

/** Wide transparent lines over the messages, while the pointer is in the diagram: a jump by the scrubber needs none. */
function Targets({ store: { pointed }, view }: { store: RunStore; view: TimeView }) {
  const { arrows } = view.scene.strip;
  const html = useMemo(
    () =>
      (arrows.length > MAX_TARGETS ? [] : arrows)
        .map((arrow) => `<path d="${pathOfArrow(arrow)}" data-sending="${arrow.sending}"/>`)
        .join(''),
    [arrows],
  );
  return (
    <g
      class="targets"
      onPointerOver={({ target }) => {
        pointed.value = Number((target as SVGElement).dataset.sending);
      }}
      onPointerOut={() => {
        pointed.value = null;
      }}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

/** What a card says about a message: its fields, its way, what caused it and what follows. */
export function pointedText({ axis, model }: RunStore, sending: number): string {
  const events = model.events(axis.peek());
  const event = events[sending];
  if (event?.type !== 'send') return '';
  const causality = model.trace().causality();
  const effects = causality.sendsAfter(sending);
  const name = nameOfNode(model.ids);
  const messageOf = (index: number): string => {
    const cause = events[index];
    return cause.type === 'send' ? formatMessage(cause.message) : '';
  };
  const before = causality.sendsBefore(sending).at(-1);
  return [
    `${formatMessage(event.message)} from ${name(event.node)} to ${name(event.to)}`,
    before === undefined ? 'sent at a start or a timeout' : `caused by ${messageOf(before)}`,
    effects.length === 0
      ? 'causes no message'
      : `causes ${[...new Set(effects.map(messageOf))].slice(0, 4).join(', ')}`,
  ].join('; ');
}

/** The line of now. The scrubber of the transport is its keyboard alternative. */
function Cursor({
  store: { model, snapshot },
  view,
  height,
}: {
  store: RunStore;
  view: TimeView;
  height: number;
}) {
  const x = xOfPosition(model, view, snapshot.value.position);
  if (x === null) return null;
  return (
    <svg class="cursor" width={1} height={height} style={{ left: `${x}px` }} role="presentation">
      <line x1={0.5} x2={0.5} y1={18} y2={height} />
    </svg>
  );
}

const MAX_ROWS = 300;

function EventTable({ store: { model, version } }: { store: RunStore }) {
  version.value;
  const isOpen = useSignal(false);
  const name = nameOfNode(model.ids);
  const from = Math.max(0, Math.min(model.length - MAX_ROWS, model.position - MAX_ROWS / 2));
  // Long runs are played and scrubbed: their table is read when it is open.
  const isRead = isOpen.value || model.length <= MAX_ROWS;
  const rows = isRead ? model.steps.slice(from, from + MAX_ROWS) : [];
  return (
    <TextAlternative
      id="steps"
      onToggle={(open) => {
        isOpen.value = open;
      }}
      caption="The steps of the branch"
      columns={['step', 'time', 'what happens', 'at', 'rules']}
      rows={rows.map(({ events, rules, step, time }, k) => [
        from + k + 1,
        Number(time.toFixed(3)),
        step.type,
        [...new Set(events.map(({ node }) => name(node)))].join(', '),
        [...new Set(rules.map(({ tag }) => tag))].join(', '),
      ])}
    />
  );
}
