/** The setup as the heading of a page. Its underlined clauses are the controls. */
import { signal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { LabSetup } from '../../model/setup/lab-setup.ts';
import { type ClauseName, type SentenceClause, sentenceOf } from '../../model/setup/sentence.ts';
import { useActions } from '../shell/actions.ts';
import { PageHeading } from '../shell/page-heading.tsx';
import { problems, setup } from '../shell/router.ts';
import { ClauseEditor } from './clause-editor.tsx';
import './sentence.css';

const opened = signal<ClauseName | null>(null);
/** On a narrow page: the clauses that are not the main ones are shown as well. */
const showsAll = signal(false);

/** The parameters of a link behind a clause, if they have other names. */
const PARAMETERS: Readonly<Partial<Record<ClauseName, readonly string[]>>> = {
  ids: ['ids', 'order'],
  parameters: ['set'],
  faults: ['crash', 'recover', 'loss', 'loss-until', 'duplicate', 'partition'],
};

export interface SetupSentenceProps {
  /** The setup with the defaults of this page, if they are not those of a run. */
  readonly shown?: LabSetup;
  /** The clauses of this page; all of them by default. */
  readonly only?: readonly ClauseName[];
  /** Words after the clauses, such as what is checked, without a full stop. */
  readonly children?: preact.ComponentChildren;
}

export function SetupSentence({ shown = setup.value, only, children }: SetupSentenceProps) {
  const heading = useRef<HTMLDivElement>(null);
  const clauses = sentenceOf(shown).filter(({ name }) => only === undefined || only.includes(name));
  const close = (): void => {
    opened.value = null;
  };
  useEffect(() => close, []);
  useActions([
    {
      id: 'sentence.focus',
      title: 'Change the setup',
      keys: ['S'],
      run: () => heading.current?.querySelector<HTMLElement>('.clause')?.focus(),
    },
  ]);
  return (
    <div ref={heading} class="setup-sentence" data-all={showsAll.value || undefined}>
      <PageHeading>
        {clauses.map((clause) => (
          <Fragment key={clause.name}>
            <span class={clause.isMain ? undefined : 'clause-more'}>
              {clause.before}
              <Clause clause={clause} />
            </span>
          </Fragment>
        ))}
        {children}.{' '}
        {clauses.some(({ isMain }) => !isMain) && !showsAll.value && (
          <button
            type="button"
            class="clause clause-all"
            onClick={() => {
              showsAll.value = true;
            }}
          >
            More
          </button>
        )}
      </PageHeading>
      {opened.value !== null && clauses.some(({ name }) => name === opened.value) && (
        <ClauseEditor
          key={opened.value}
          clause={opened.value}
          onClose={() => {
            const name = opened.peek();
            close();
            document.getElementById(`clause-${name}`)?.focus();
          }}
          onLeave={close}
        />
      )}
    </div>
  );
}

function Clause({ clause: { name, text, isFigure } }: { readonly clause: SentenceClause }) {
  const isWrong = problems.value.some(({ parameter }) => (PARAMETERS[name] ?? [name]).includes(parameter));
  return (
    <button
      type="button"
      id={`clause-${name}`}
      class="clause"
      data-figure={isFigure || undefined}
      data-wrong={isWrong || undefined}
      aria-haspopup="dialog"
      aria-expanded={opened.value === name}
      onClick={() => {
        opened.value = opened.peek() === name ? null : name;
      }}
    >
      {name === 'algorithm' ? <strong>{text}</strong> : text}
    </button>
  );
}
