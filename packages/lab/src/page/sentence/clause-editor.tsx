/** The panel below the sentence that edits one clause. */
import { useState } from 'preact/hooks';
import type { ClauseName } from '../../model/setup/sentence.ts';
import { navigate } from '../shell/router.ts';
import { AlgorithmEditor } from './algorithm-editor.tsx';
import { ClausePanel } from './clause-panel.tsx';
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
  const [refusal, setRefusal] = useState<string | null>(null);
  const apply: ApplyEdit = (edit, { close = false } = {}) => {
    setRefusal(edit.type === 'refused' ? edit.text : null);
    if (edit.type === 'refused') return;
    navigate({ setup: edit.setup });
    if (close) onClose();
  };
  return (
    <ClausePanel of={`clause-${clause}`} title={TITLES[clause]} onClose={onClose} onLeave={onLeave}>
      <Editor clause={clause} apply={apply} />
      <p class="clause-refusal" role="alert">
        {refusal}
      </p>
    </ClausePanel>
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
