import type { ComponentChildren } from 'preact';

export interface NoticeProps {
  /** empty: nothing to show yet, with an example to try. loading: shown after a while only. error: what failed, and the way on. */
  readonly kind: 'empty' | 'loading' | 'error';
  /** One sentence, and what to do. */
  readonly text: ComponentChildren;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** Stands where the result would. */
export function Notice({ kind, text, children }: NoticeProps) {
  return (
    <div class="notice" data-kind={kind} role={kind === 'error' ? 'alert' : 'status'}>
      <p>{text}</p>
      {children}
    </div>
  );
}
