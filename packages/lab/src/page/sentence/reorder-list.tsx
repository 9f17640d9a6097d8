/**
 * Numbers in an order that the reader changes: by dragging, or with the keyboard: Enter lifts one, the arrow keys move it,
 * Enter drops it, Esc puts it back.
 */
import { useRef, useState } from 'preact/hooks';

export interface ReorderListProps {
  readonly label: string;
  readonly items: readonly number[];
  /** Called when an item is dropped at another place. */
  readonly onReorder: (items: readonly number[]) => void;
}

interface Lifted {
  readonly item: number;
  readonly order: readonly number[];
}

export function ReorderList({ label, items, onReorder }: ReorderListProps) {
  const [lifted, setLifted] = useState<Lifted | null>(null);
  const [said, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const order = lifted?.order ?? items;

  const moveTo = (to: number): void => {
    if (lifted === null) return;
    const rest = lifted.order.filter((each) => each !== lifted.item);
    const at = Math.min(rest.length, Math.max(0, to));
    const next = [...rest.slice(0, at), lifted.item, ...rest.slice(at)];
    setLifted({ ...lifted, order: next });
    setSaid(`id ${lifted.item}, position ${at} of ${next.length}`);
  };
  const drop = (): void => {
    if (lifted === null) return;
    setSaid(`id ${lifted.item} dropped at position ${lifted.order.indexOf(lifted.item)}`);
    setLifted(null);
    if (lifted.order.some((item, at) => item !== items[at])) onReorder(lifted.order);
  };
  const putBack = (): void => {
    setSaid(`id ${lifted?.item} put back`);
    setLifted(null);
  };
  const lift = (item: number): void => {
    setLifted({ item, order: items });
    setSaid(
      `id ${item} lifted from position ${items.indexOf(item)}: move it with the arrow keys, drop it with Enter`,
    );
  };
  /** The place of the item under a pointer. */
  const placeAt = (x: number, y: number): number =>
    [...(list.current?.children ?? [])].findIndex((child) => {
      const { left, right, top, bottom } = child.getBoundingClientRect();
      return x >= left && x <= right && y >= top && y <= bottom;
    });

  const onKeyDown = (event: KeyboardEvent, item: number): void => {
    const at = order.indexOf(item);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' || event.key === ' ') {
      if (lifted === null) lift(item);
      else drop();
    } else if (event.key === 'Escape' && lifted !== null) putBack();
    else if (step !== undefined && lifted !== null) moveTo(at + step);
    else if (step !== undefined) focusAt(Math.min(order.length - 1, Math.max(0, at + step)));
    else return;
    event.preventDefault();
  };
  const focusAt = (at: number): void =>
    (list.current?.children[at]?.firstElementChild as HTMLElement | null)?.focus();

  return (
    <>
      <ol class="reorder-list" aria-label={label} ref={list}>
        {order.map((item, at) => (
          <li key={item}>
            <button
              type="button"
              class="reorder-item"
              data-first={at === 0 || undefined}
              data-lifted={lifted?.item === item || undefined}
              aria-roledescription="id that can be moved"
              onKeyDown={(event) => onKeyDown(event, item)}
              onPointerDown={(event) => {
                if (event.button !== 0) return;
                event.currentTarget.setPointerCapture(event.pointerId);
                lift(item);
              }}
              onPointerMove={(event) => {
                if (lifted?.item !== item || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
                const place = placeAt(event.clientX, event.clientY);
                if (place >= 0 && place !== at) moveTo(place);
              }}
              onPointerUp={drop}
              onPointerCancel={putBack}
            >
              {item}
            </button>
            <span class="caption" aria-hidden="true">
              {at}
            </span>
          </li>
        ))}
      </ol>
      <p class="caption">Drag an id, or press Enter to lift it, arrow keys to move it, Enter to drop it.</p>
      <p class="only-read" role="status">
        {said}
      </p>
    </>
  );
}
