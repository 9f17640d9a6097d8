/**
 * The editor. It stands in a shadow root: there its style sheets are adopted, which the content security policy of the page
 * allows, while style elements are refused.
 */

import kernelApi from 'virtual:kernel-api';
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript, localCompletionSource } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { completerOf } from './completions.ts';
import { editorTheme, highlightStyle } from './editor-theme.ts';
import { problemMarks, setProblems, type TextProblems } from './problem-marks.ts';
import { type LineMarks, setMarks, stepMarks } from './step-marks.ts';

export interface CodeEditor {
  /** Replaces the text, as for another file. Edits of the text before cannot be undone. */
  show(text: string): void;
  mark(marks: LineMarks): void;
  markProblems(problems: TextProblems): void;
  destroy(): void;
}

/**
 * A browser that replaces a selection itself keeps its look by inline styles, which the content security policy refuses. Brackets
 * and quotes are left to closeBrackets, which puts them around the selection.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { data, inputType } = event;
  const isEmpty = view.state.selection.main.empty;
  if (isEmpty || view.composing || inputType !== 'insertText' || data === null || /^[([{'"`]$/.test(data))
    return false;
  view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  return true;
}

/** Makes an editor in a host element. `onEdit` is called for what the reader types, not for `show`. */
export function createEditor(
  host: HTMLElement,
  text: string,
  onEdit: (text: string) => void,
  onCursor: (line: number, column: number) => void,
): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  // Outside the shadow root a key event names its host, so keys that are typed here would be taken for those of the page.
  const keepTyping = (event: KeyboardEvent): void => {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
  };
  host.addEventListener('keydown', keepTyping);
  const extensions = [
    lineNumbers(),
    stepMarks,
    problemMarks,
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ override: [completerOf(kernelApi), localCompletionSource] }),
    javascript({ typescript: true }),
    syntaxHighlighting(highlightStyle),
    editorTheme,
    EditorState.tabSize.of(2),
    EditorView.contentAttributes.of({ 'aria-label': 'Source text', spellcheck: 'false', tabindex: '0' }),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...historyKeymap,
      indentWithTab,
      ...defaultKeymap,
    ]),
    EditorView.domEventHandlers({ beforeinput: replaceSelection }),
    EditorView.updateListener.of(({ docChanged, selectionSet, state, transactions }) => {
      if (docChanged && transactions.some((each) => each.docChanged)) onEdit(state.doc.toString());
      if (docChanged || selectionSet) {
        const line = state.doc.lineAt(state.selection.main.head);
        onCursor(line.number, state.selection.main.head - line.from + 1);
      }
    }),
  ];
  const stateOf = (doc: string): EditorState => EditorState.create({ doc, extensions });
  const view = new EditorView({ state: stateOf(text), parent: root, root });
  return {
    show: (next) => {
      view.setState(stateOf(next));
      view.scrollDOM.scrollTop = 0;
      onCursor(1, 1);
    },
    mark: (marks) => view.dispatch({ effects: setMarks.of(marks) }),
    markProblems: (problems) => view.dispatch({ effects: setProblems.of(problems) }),
    destroy: () => {
      host.removeEventListener('keydown', keepTyping);
      view.destroy();
    },
  };
}
