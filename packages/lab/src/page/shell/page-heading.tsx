import type { ComponentChildren } from 'preact';
import { isEmbedded } from './embed.ts';

/** The sentence at the head of a page: its only h1. In a frame it is read but not seen. */
export function PageHeading({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class={isEmbedded.value ? 'only-read' : 'page-heading'}>
      <h1>{children}</h1>
    </div>
  );
}
