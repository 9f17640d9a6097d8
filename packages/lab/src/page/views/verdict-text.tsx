import type { CheckVerdict } from '../../model/check/verdict.ts';

/** The verdict of a search, with its mark. */
export function VerdictText({ kind, text }: Pick<CheckVerdict, 'kind' | 'text'>) {
  return (
    <p class="verdict-text" data-kind={kind}>
      {text}
    </p>
  );
}
