/** The panel below a clause of the sentence. Esc closes it, and so does a click or a focus elsewhere. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../shell/button.tsx';

export interface ClausePanelProps {
  /** The id of the clause's button. */
  readonly of: string;
  readonly title: string;
  /** The reader is done: the focus goes back to the clause. */
  readonly onClose: () => void;
  /** The reader went elsewhere. */
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
}

export function ClausePanel({ of, title, onClose, onLeave, children }: ClausePanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = panel.current;
    if (element === null) return;
    placeBelow(element, document.getElementById(of));
    const first =
      element.querySelector<HTMLElement>('[data-first]') ??
      element.querySelector<HTMLElement>('input, select');
    (first ?? element.querySelector('button'))?.focus();
    const onPointerDown = ({ target }: Event): void => {
      const isInside = target instanceof Element && target.closest('.clause-editor, .clause') !== null;
      if (!isInside) onLeave();
    };
    addEventListener('pointerdown', onPointerDown);
    return () => removeEventListener('pointerdown', onPointerDown);
  }, []);
  return (
    <div
      ref={panel}
      class="clause-editor"
      role="dialog"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div class="clause-editor-head">
        <h2>{title}</h2>
        <Button kind="plain" aria-label="Close" onClick={onClose}>
          ×
        </Button>
      </div>
      {children}
    </div>
  );
}

/** Under its clause, within the page. On a narrow page the style sheet gives it the whole width. */
function placeBelow(panel: HTMLElement, clause: HTMLElement | null): void {
  const parent = panel.offsetParent;
  if (clause === null || parent === null) return;
  const page = parent.getBoundingClientRect();
  // The last line of a clause that wraps.
  const line = [...clause.getClientRects()].at(-1) ?? clause.getBoundingClientRect();
  const left = Math.min(line.left - page.left, page.width - panel.offsetWidth - 16);
  panel.style.setProperty('--panel-left', `${Math.max(8, left)}px`);
  panel.style.setProperty('--panel-top', `${line.bottom - page.top + 6}px`);
}
