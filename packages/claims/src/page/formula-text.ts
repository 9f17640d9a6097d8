/** Formulas in a sentence as HTML: H_k with a subscript, u^d with a superscript, `code` as code. */
import { escapeText } from '@hustings/study/internal/drawing/svg';

export function formulaText(text: string): string {
  return escapeText(text)
    .replace(/(?<![A-Za-z])([A-Za-z])_(\w)/g, '$1<sub>$2</sub>')
    .replace(/\blog(\d)/g, 'log<sub>$1</sub>')
    .replace(/\^(\w+|\([^)]*\)|⌈[^⌉]*⌉)/g, '<sup>$1</sup>')
    .replace(/`([^`]*)`/g, '<code>$1</code>');
}
