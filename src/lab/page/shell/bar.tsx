import type { ComponentChildren } from 'preact';

/** A row of controls with a hairline below. */
export function Bar({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div class="bar" role="toolbar" aria-label={label}>
      {children}
    </div>
  );
}
