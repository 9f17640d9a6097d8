import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

export interface DialogProps {
  readonly title: string;
  /** Called on Esc, the button Close, and a click beside the dialog. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly class?: string;
  /** Without a visible head; the title is still the label. */
  readonly bare?: boolean;
}

/** A modal dialog. Mounted means open; the browser returns the focus at the end. */
export function Dialog({ title, onClose, children, class: className = '', bare = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog already
    <dialog
      ref={element}
      class={`dialog ${className}`}
      aria-labelledby={bare ? undefined : id}
      aria-label={bare ? title : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === element.current && onClose()}
    >
      {!bare && (
        <div class="dialog-head">
          <h2 id={id}>{title}</h2>
          <Button kind="plain" aria-label="Close" onClick={onClose}>
            ×
          </Button>
        </div>
      )}
      {bare ? children : <div class="dialog-body">{children}</div>}
    </dialog>
  );
}
