import type { ComponentChildren, JSX } from 'preact';

export interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'type'> {
  /** main: the one thing to do next in a view. danger: destroys or breaks something. plain: without a border. */
  readonly kind?: 'main' | 'danger' | 'plain' | undefined;
  readonly children: ComponentChildren;
}

export function Button({ kind, children, ...rest }: ButtonProps) {
  return (
    <button type="button" class="button" data-kind={kind} {...rest}>
      {children}
    </button>
  );
}
