import type { SceneHead } from '@hustings/study/drawing';
import { renderGlyph } from '@hustings/study/internal/drawing/network/render-node';
import { nameOfNode, writeText } from '@hustings/study/internal/drawing/placed-text';
import { element } from '@hustings/study/internal/drawing/svg';
import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ShownNode } from '../../model/run/run-snapshot.ts';
import type { TimeView } from '../../model/stage/time-stage.ts';
import { type RunStore, selectedNode } from '../run/run-store.ts';
import { SVG } from './message-layer.ts';
import { PAGE_PALETTE } from './page-palette.ts';

const SIZE = 11.5;
/** Rows that are closer than this share labels: one of several is written. */
const MIN_PITCH = 13;
/** A smaller mark cannot be told from another. */
const MIN_RADIUS = 4;

/** The state of each node at the cursor, beside its row. Drawn without rendering: there may be 200. */
export function RowHeads({ store, view }: { readonly store: RunStore; readonly view: TimeView }) {
  const { model, selection, snapshot } = store;
  const group = useRef<SVGGElement>(null);
  const { heads } = view.scene.strip;
  // Another window of time has the same rows at the same places: the heads stay.
  const places = heads.map(({ height, node, x, y }) => `${node} ${x} ${y} ${height}`).join();
  useLayoutEffect(() => {
    if (group.current === null) return;
    const painter = new RowHeadPainter(group.current, heads, nameOfNode(model.ids));
    return effect(() => painter.show(snapshot.value.nodes, selectedNode(selection.value)));
  }, [model, places]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the node in the network is its keyboard alternative
    <g
      ref={group}
      onPointerDown={(event) => event.stopPropagation()}
      onClick={({ target }) => {
        const head = (target as Element).closest<SVGElement>('.row-head');
        if (head !== null) selection.value = { type: 'node', node: Number(head.dataset.node) };
      }}
    />
  );
}

class RowHeadPainter {
  private readonly drawn: { readonly group: SVGGElement; looks: string }[];
  private readonly isCrowded: boolean;
  private readonly pitch: number;

  constructor(
    parent: SVGGElement,
    private readonly heads: readonly SceneHead[],
    private readonly name: (node: number) => string,
  ) {
    this.drawn = heads.map(({ node }) => {
      const group = document.createElementNS(SVG, 'g');
      group.setAttribute('class', 'row-head');
      group.dataset.node = String(node);
      return { group, looks: '' };
    });
    parent.replaceChildren(...this.drawn.map(({ group }) => group));
    this.pitch = heads.length < 2 ? MIN_PITCH : heads[1].y - heads[0].y;
    this.isCrowded = heads.length > 0 && heads[0].height / 2 < MIN_RADIUS;
  }

  show(nodes: readonly ShownNode[], chosen: number | null): void {
    const labelled = this.labelled(nodes, chosen);
    this.heads.forEach((head, row) => {
      const { isDead, role } = nodes[head.node];
      const isChosen = head.node === chosen;
      const looks = `${isDead ? 'crashed' : role} ${isChosen} ${labelled.has(row)}`;
      const drawn = this.drawn[row];
      if (drawn.looks === looks) return;
      drawn.looks = looks;
      drawn.group.innerHTML = this.render(head, nodes[head.node], isChosen, labelled.has(row));
    });
  }

  /** All rows if there is room; otherwise the selected node, the leaders, and as many others as fit. */
  private labelled(nodes: readonly ShownNode[], chosen: number | null): ReadonlySet<number> {
    const { heads, pitch } = this;
    const rows = [...heads.keys()];
    const apart = Math.ceil(MIN_PITCH / pitch);
    if (apart === 1) return new Set(rows);
    const isMarked = (row: number): boolean =>
      heads[row].node === chosen || nodes[heads[row].node].role === 'leader';
    const marked = rows.filter(isMarked);
    const regular = rows.filter(
      (row) => row % apart === 0 && !marked.some((other) => Math.abs(other - row) < apart),
    );
    return new Set([...marked, ...regular]);
  }

  private render(head: SceneHead, node: ShownNode, isChosen: boolean, isLabelled: boolean): string {
    const { height, width } = head;
    const at = { x: head.x + width / 2, y: head.y + height / 2 };
    const radius = Math.min(height, width) / 2;
    const { isDead, role } = node;
    const leads = role === 'leader' && !isDead;
    const name = this.name(head.node);
    const text = this.isCrowded && leads ? `★ ${name}` : name;
    const isOnInk = leads && !this.isCrowded;
    return [
      ...(isChosen ? [element('circle', { class: 'selected', cx: at.x, cy: at.y, r: 1.35 * radius })] : []),
      ...(this.isCrowded ? [] : renderGlyph({ at, radius, role, isDead }, PAGE_PALETTE)),
      ...(isLabelled
        ? [
            writeText(
              { text, ...at, size: SIZE, anchor: 'middle', isBold: !this.isCrowded || leads || isChosen },
              { fill: isOnInk ? PAGE_PALETTE.paper : isDead ? PAGE_PALETTE.crimson : PAGE_PALETTE.ink },
            ),
          ]
        : []),
    ].join('');
  }
}
