import './run.css';
import { capitalized, formatFigure } from '@hustings/base';
import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { editParameter } from '../../model/setup/edit-setup.ts';
import type { SetupIncompatibility } from '../../model/setup/incompatibility.ts';
import type { LabSetup } from '../../model/setup/lab-setup.ts';
import { SetupSentence } from '../sentence/setup-sentence.tsx';
import { useActions } from '../shell/actions.ts';
import { Button } from '../shell/button.tsx';
import { Notice } from '../shell/notice.tsx';
import { navigate, setup } from '../shell/router.ts';
import { Segmented } from '../shell/segmented.tsx';
import { NetworkView } from '../views/network-view.tsx';
import { SpaceTime } from '../views/space-time.tsx';
import { CountersPanel } from './counters-panel.tsx';
import { Narration, useNarration } from './narration.tsx';
import { NextSteps } from './next-steps.tsx';
import { NodeInspector } from './node-inspector.tsx';
import { runActions } from './run-actions.ts';
import type { RunStore } from './run-store.ts';
import { SummaryPanel } from './summary-panel.tsx';
import { Transport } from './transport.tsx';
import { useRunStore } from './use-run-store.ts';

export default function RunPage() {
  const shown = useRunStore();
  return (
    <>
      <SetupSentence />
      {shown.type === 'recording' && shown.steps > 0 && (
        <Notice kind="loading" text={`The run is being recorded: ${formatFigure(shown.steps)} steps so far.`}>
          <Button onClick={shown.cancel}>Cancel</Button>
        </Notice>
      )}
      {shown.type === 'cancelled' && (
        <Notice kind="empty" text={`Cancelled after ${formatFigure(shown.steps)} steps. Nothing is shown.`}>
          <Button kind="main" onClick={shown.again}>
            Record it again
          </Button>
          <UseDefaults />
        </Notice>
      )}
      {shown.type === 'incompatibility' && <IncompatibilityNotice incompatibility={shown.incompatibility} />}
      {shown.type === 'refused' && <Refusal text={shown.text} />}
      {shown.type === 'large' && <SummaryPanel setup={shown.setup} />}
      {shown.type === 'run' && <RunPanels key={shown.store} store={shown.store} />}
    </>
  );
}

function withRemedy(from: LabSetup, option: string, value: string): LabSetup | null {
  const values = option === 'despite' ? [...(from.despite ?? []), value] : [value];
  const edit = editParameter(from, option, values);
  return edit.type === 'changed' ? edit.setup : null;
}

/** Stands where the run would: says which assumption the setup violates, and offers the ways on. */
function IncompatibilityNotice({ incompatibility }: { readonly incompatibility: SetupIncompatibility }) {
  const ways = incompatibility.remedies.flatMap(({ option, value }) => {
    const next = withRemedy(setup.value, option, value);
    return next === null ? [] : [{ option, value, next }];
  });
  return (
    <Notice kind="error" text={`${capitalized(incompatibility.text)}.`}>
      {ways.map(({ option, value, next }) => (
        <Button
          key={option + value}
          kind={option === 'despite' ? 'main' : undefined}
          onClick={() => navigate({ setup: next })}
        >
          {option === 'despite' ? 'Run it anyway' : `Use ${option} ${value}`}
        </Button>
      ))}
    </Notice>
  );
}

function Refusal({ text }: { readonly text: string }) {
  return (
    <Notice kind="error" text={`${capitalized(text)}.`}>
      <UseDefaults kind="main" />
    </Notice>
  );
}

function UseDefaults({ kind }: { readonly kind?: 'main' }) {
  return (
    <Button {...(kind && { kind })} onClick={() => navigate({ setup: { algorithm: setup.value.algorithm } })}>
      Use the defaults
    </Button>
  );
}

type Part = 'watch' | 'choose' | 'node' | 'counts';

/** On a phone one part is shown at a time. */
function PartChoice({ store, part }: { readonly store: RunStore; readonly part: Signal<Part> }) {
  return (
    <div class="run-parts">
      <Segmented<Part>
        label="What is shown"
        options={[
          { value: 'watch', text: 'Watch' },
          { value: 'choose', text: `Choose ${store.enabled.value.length}` },
          { value: 'node', text: 'Node' },
          { value: 'counts', text: 'Counts' },
        ]}
        value={part.value}
        onChange={(value) => {
          part.value = value;
        }}
      />
    </div>
  );
}

function RunPanels({ store }: { readonly store: RunStore }) {
  const part = useSignal<Part>('watch');
  const actions = useMemo(() => runActions(store), [store]);
  useActions(actions);
  const narration = useNarration(store);
  const { model } = store;
  return (
    <div class="run" data-part={part.value}>
      <PartChoice store={store} part={part} />
      <div class="run-left">
        <section class="run-network" aria-label="Network">
          <header class="panel-head">
            <h2>Network</h2>
          </header>
          <NetworkView store={store} narration={narration.text} />
          <Narration store={store} narrated={narration} />
        </section>
        <div class="run-counts">
          <CountersPanel store={store} />
        </div>
      </div>
      <section class="run-time" aria-label="Space-time diagram">
        <header class="panel-head">
          <h2>
            Space-time <span class="caption">past in ink, the schedule’s future in grey</span>
          </h2>
          <Segmented
            label="Axis"
            options={[
              { value: 'units', text: 'time' },
              { value: 'steps', text: 'steps' },
            ]}
            value={store.axis.value}
            onChange={(value) => {
              store.axis.value = value;
            }}
          />
        </header>
        <SpaceTime store={store} />
        {model.missing !== null && <p class="caption run-missing">{model.missing}</p>}
        <Transport store={store} />
      </section>
      <div class="run-right">
        <div class="run-choose">
          <NextSteps store={store} />
        </div>
        <div class="run-node">
          <NodeInspector store={store} />
        </div>
      </div>
    </div>
  );
}
