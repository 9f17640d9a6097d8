/** The look of the editor, in the tokens of the page. */
import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export const highlightStyle = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--purple)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--green)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--rust)' },
  { tag: tags.comment, color: 'var(--ink3)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.className], color: 'var(--ink2)' },
  { tag: tags.function(tags.variableName), color: 'var(--blue)' },
]);

export const editorTheme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--well)' },
  '&.cm-focused': { outline: '2px solid var(--blue)', outlineOffset: '-2px' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    fontSize: '13px',
    lineHeight: '20px',
    fontVariantLigatures: 'none',
  },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--well)', color: 'var(--ink3)', border: 'none' },
  '.cm-activeLineGutter, .cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--line)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--sunk)', outline: '1px solid var(--line2)' },
  '.cm-tooltip': { backgroundColor: 'var(--paper)', border: '1px solid var(--edge)', color: 'var(--ink)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--blue-wash)',
    color: 'var(--ink)',
  },
  '.cm-completionInfo': { maxWidth: '320px', fontFamily: 'var(--sans)' },
  '.step-gutter': { minWidth: '64px', textAlign: 'right' },
  '.step-gutter .cm-gutterElement': { whiteSpace: 'nowrap' },
  '.step-mark': {
    display: 'inline-block',
    minWidth: '16px',
    padding: '0 3px',
    margin: '0 1px',
    borderRadius: '8px',
    fontSize: '11px',
    lineHeight: '16px',
    textAlign: 'center',
    color: 'var(--ink2)',
    backgroundColor: 'var(--sunk)',
  },
  '.step-mark[data-now="true"]': {
    color: 'var(--on-ink)',
    backgroundColor: 'var(--blue)',
    fontWeight: '700',
  },
  '.line-now': { backgroundColor: 'var(--blue-wash)' },
  '.line-problem': {
    padding: '2px 8px 2px 10px',
    borderLeft: '2px solid currentcolor',
    font: '12px/18px var(--sans)',
    whiteSpace: 'normal',
  },
  '.line-error': { color: 'var(--crimson)' },
  '.line-warning': { color: 'var(--rust)' },
});
