/** The panel below the sentence that edits one clause. Esc closes it, and so does a click or a focus elsewhere. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ClauseName } from '../../model/setup/sentence.ts';
import { Button } from '../shell/button.tsx';
import { navigate } from '../shell/router.ts';
import { AlgorithmEditor } from './algorithm-editor.tsx';
import type { ApplyEdit, EditorProps } from './editor-props.ts';
import { FaultsEditor } from './faults-editor.tsx';
import { IdsEditor } from './ids-editor.tsx';
import { InitiatorsEditor } from './initiators-editor.tsx';
import { ParametersEditor } from './parameters-editor.tsx';
import { DespiteEditor, NumberEditor, ScheduleEditor, TopologyEditor } from './simple-editors.tsx';

const TITLES: Readonly<Record<ClauseName, string>> = {
  algorithm: 'Algorithm',
  topology: 'Network',
  nodes: 'Number of nodes',
  ids: 'Ids by position',
  initiators: 'Nodes that start by themselves',
  schedule: 'When messages arrive',
  seed: 'Seed of the random draws',
  parameters: 'Parameters of the algorithm',
  faults: 'Faults',
  despite: 'Assumptions that may be violated',
  until: 'Time at which the run stops',
};

export interface ClauseEditorProps {
  readonly clause: ClauseName;
  /** The reader is done: the focus goes back to the clause. */
  readonly onClose: () => void;
  /** The reader went elsewhere. */
  readonly onLeave: () => void;
}

export function ClauseEditor({ clause, onClose, onLeave }: ClauseEditorProps) {
  const panel = useRef<HTMLDivElement>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => {
    const element = panel.current;
    if (element === null) return;
    placeBelow(element, document.getElementById(`clause-${clause}`));
    const first =
      element.querySelector<HTMLElement>('[data-first]') ??
      element.querySelector<HTMLElement>('input, select');
    (first ?? element.querySelector('button'))?.focus();
    const onPointerDown = ({ target }: Event): void => {
      const isInside = target instanceof Element && target.closest('.clause-editor, .clause') !== null;
      if (!isInside) onLeave();
    };
    addEventListener('pointerdown', onPointerDown);
    return () => removeEventListener('pointerdown', onPointerDown);
  }, []);
  const apply: ApplyEdit = (edit, { close = false } = {}) => {
    setRefusal(edit.type === 'refused' ? edit.text : null);
    if (edit.type === 'refused') return;
    navigate({ setup: edit.setup });
    if (close) onClose();
  };
  return (
    <div
      ref={panel}
      class="clause-editor"
      role="dialog"
      aria-label={TITLES[clause]}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div class="clause-editor-head">
        <h2>{TITLES[clause]}</h2>
        <Button kind="plain" aria-label="Close" onClick={onClose}>
          ×
        </Button>
      </div>
      <Editor clause={clause} apply={apply} />
      <p class="clause-refusal" role="alert">
        {refusal}
      </p>
    </div>
  );
}

function Editor({ clause, apply }: { readonly clause: ClauseName } & EditorProps) {
  switch (clause) {
    case 'algorithm':
      return <AlgorithmEditor apply={apply} />;
    case 'topology':
      return <TopologyEditor apply={apply} />;
    case 'nodes':
    case 'seed':
    case 'until':
      return <NumberEditor apply={apply} parameter={clause} label={TITLES[clause]} />;
    case 'ids':
      return <IdsEditor apply={apply} />;
    case 'initiators':
      return <InitiatorsEditor apply={apply} />;
    case 'schedule':
      return <ScheduleEditor apply={apply} />;
    case 'parameters':
      return <ParametersEditor apply={apply} />;
    case 'faults':
      return <FaultsEditor apply={apply} />;
    case 'despite':
      return <DespiteEditor apply={apply} />;
  }
}

/** Under its clause, within the page. On a narrow page the style sheet gives it the whole width. */
function placeBelow(panel: HTMLElement, clause: HTMLElement | null): void {
  const parent = panel.offsetParent;
  if (clause === null || parent === null) return;
  const page = parent.getBoundingClientRect();
  // The last line of a clause that wraps.
  const line = [...clause.getClientRects()].at(-1) ?? clause.getBoundingClientRect();
  const left = Math.min(line.left - page.left, page.width - panel.offsetWidth - 16);
  panel.style.setProperty('--panel-left', `${Math.max(8, left)}px`);
  panel.style.setProperty('--panel-top', `${line.bottom - page.top + 6}px`);
}
