import '../sentence/sentence.css';
import './write.css';
import { effect } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { findAlgorithm } from '../../model/setup/algorithm-list.ts';
import type { Trail } from '../../model/write/own-code.ts';
import { useActions } from '../shell/actions.ts';
import { copyText } from '../shell/copy.ts';
import { PageHeading } from '../shell/page-heading.tsx';
import { extra, linkTo, navigate, problems } from '../shell/router.ts';
import { saveFile } from '../shell/save-file.ts';
import { say } from '../shell/toast.tsx';
import { decodeCode, encodeCode } from './code/link-code.ts';
import { createEditor } from './editor/code-editor.ts';
import type { LineMarks } from './editor/step-marks.ts';
import { DeleteDialog, FileTools } from './file-tools.tsx';
import type { Findings } from './findings.ts';
import { StatusLine } from './status-line.tsx';
import { VerdictPanel } from './verdict-panel.tsx';
import { WriteStore } from './write-store.ts';

/** An algorithm of the reader's own: written, run and searched as it is typed. */
export default function WritePage() {
  const store = useMemo(() => new WriteStore(), []);
  useEffect(() => () => store.dispose(), [store]);
  const code = extra.value.code;
  useEffect(() => {
    if (code === undefined) store.run();
    else void openLink(store, code);
  }, [store, code]);
  // A file that was begun leaves the link behind.
  useEffect(
    () =>
      effect(() => {
        store.file.value;
        if (store.linked.value === null && store.hadLink) {
          store.hadLink = false;
          navigate({ extra: { code: undefined } }, { replace: true });
        }
      }),
    [store],
  );
  const [isDeleting, setDeleting] = useState(false);
  const share = (): void => void copyLink(store);
  const download = (): void =>
    saveFile(store.file.peek().name, 'text/plain', store.linked.peek() ?? store.file.peek().text);
  useActions([
    { id: 'write.run', title: 'Run and check the text again', run: () => store.run() },
    { id: 'write.link', title: 'Copy a link to the text', run: share },
    { id: 'write.export', title: 'Export the text as a file', run: download },
    {
      id: 'write.forget',
      title: 'Delete this file from the browser',
      run: () => setDeleting(true),
      when: () => store.isSaved.peek(),
    },
    {
      id: 'write.restore',
      title: 'Undo: bring back the deleted file',
      run: () => store.restore(),
      when: () => store.deleted.peek() !== null,
    },
  ]);
  return (
    <div class="write-page">
      <Heading store={store} />
      <div class="write-bench">
        <div class="write-left">
          <FileTools store={store} onShare={share} onDownload={download} onDelete={() => setDeleting(true)} />
          <Editor store={store} />
        </div>
        <VerdictPanel store={store} />
      </div>
      {isDeleting && <DeleteDialog store={store} onClose={() => setDeleting(false)} />}
    </div>
  );
}

function Heading({ store }: { readonly store: WriteStore }) {
  const { forkOf, name } = store.file.value;
  const isLinked = store.linked.value !== null;
  const title = forkOf === null ? undefined : findAlgorithm(forkOf)?.title;
  return (
    <PageHeading>
      {isLinked ? (
        <strong>Code from a link</strong>
      ) : (
        <button
          type="button"
          class="clause"
          title="Rename"
          onClick={() => {
            const next = prompt('The name of the file:', name);
            if (next !== null) store.rename(next);
          }}
        >
          <strong>{name}</strong>
        </button>
      )}
      {title !== undefined && !isLinked && `, a fork of ${title}`}, checked on{' '}
      <label>
        2 to{' '}
        <select
          class="write-size"
          aria-label="Largest number of nodes"
          value={store.upTo.value}
          onChange={({ currentTarget }) => store.setUpTo(Number(currentTarget.value))}
        >
          {[2, 3, 4, 5].map((nodes) => (
            <option key={nodes} value={nodes}>
              {nodes}
            </option>
          ))}
        </select>{' '}
        nodes
      </label>
      , every order of ids, every schedule, as you type.
    </PageHeading>
  );
}

function Editor({ store }: { readonly store: WriteStore }) {
  const host = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState({ line: 1, column: 1 });
  useEffect(() => {
    if (host.current === null) return;
    const editor = createEditor(
      host.current,
      store.linked.peek() ?? store.file.peek().text,
      (text) => store.edit(text),
      (line, column) => setCursor({ line, column }),
    );
    store.onText = (text) => editor.show(text);
    const stop = effect(() => {
      const findings = store.findings.value;
      const position = store.position.value;
      if (!store.isStale.value) editor.mark(marksOf(findings, store.trail.value, position, store.text));
    });
    const stopProblems = effect(() => {
      const types = store.types.value;
      const warnings = types?.type === 'checked' ? types.problems : [];
      editor.markProblems({ errors: store.errors.value, warnings });
    });
    return () => {
      stop();
      stopProblems();
      store.onText = () => {};
      editor.destroy();
    };
  }, [store]);
  return (
    <>
      <div class="write-editor" ref={host} />
      <StatusLine store={store} line={cursor.line} column={cursor.column} />
    </>
  );
}

function marksOf(findings: Findings, trail: Trail | null, now: number, text: string): LineMarks {
  const steps = new Map<number, number[]>();
  const problems = [...findings.problems];
  trail?.steps.forEach(({ lines, violation }, k) => {
    for (const line of lines) steps.set(line, [...(steps.get(line) ?? []), k + 1]);
    if (violation === null) return;
    // A decision broke the property: the last line of the step that decides.
    const source = text.split('\n');
    const line = [...lines].reverse().find((each) => /\.decide\(/.test(source[each - 1] ?? ''));
    if (line !== undefined)
      problems.push({ line, text: `${trail.property}: ${violation}, at step ${k + 1}` });
  });
  return { steps, now, problems };
}

async function openLink(store: WriteStore, code: string): Promise<void> {
  const text = await decodeCode(code);
  // Another link may have been opened meanwhile, or another file.
  if (extra.peek().code !== code) return;
  if (text !== null) store.showLinked(text);
  else {
    problems.value = [
      ...problems.peek(),
      { parameter: 'code', text: '`code` is not a text of this page. Your own file is shown.' },
    ];
    store.run();
  }
}

async function copyLink(store: WriteStore): Promise<void> {
  const code = await encodeCode(store.linked.peek() ?? store.file.peek().text);
  if (code === null) say('The text is too long for a link: export the file.');
  else await copyText(new URL(linkTo({ page: 'write', extra: { code } }), location.href).href, 'Link');
}
