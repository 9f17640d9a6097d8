/** What is measured, as the heading of the page. Its underlined parts are the controls. */
import '../sentence/sentence.css';
import { listed } from '@hustings/base';
import { measureText } from '@hustings/study/internal/sweep/report/sweep-text';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { COMPARED_MEASURES, type CompareRequest, MAX_COMPARED } from '../../model/compare/compare-request.ts';
import { ALGORITHM_GROUPS, findAlgorithm } from '../../model/setup/algorithm-list.ts';
import { editParameter } from '../../model/setup/edit-setup.ts';
import { SCHEDULE_TEXTS } from '../../model/setup/sentence.ts';
import { ClausePanel } from '../sentence/clause-panel.tsx';
import { useActions } from '../shell/actions.ts';
import { PageHeading } from '../shell/page-heading.tsx';
import { extra, navigate, problems, setup } from '../shell/router.ts';

const ALGORITHMS_ID = 'clause-algorithms';
/** More names are counted. */
const MAX_NAMED = 2;
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];
const ORDERS = ['random', 'ascending', 'descending'] as const;

export function CompareSentence({ request: { algorithms, options } }: { readonly request: CompareRequest }) {
  const heading = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useActions([
    {
      id: 'sentence.focus',
      title: 'Change the setup',
      keys: ['S'],
      run: () => heading.current?.querySelector<HTMLElement>('.clause-field')?.focus(),
    },
  ]);
  const set = (name: string, value: string | undefined): void => navigate({ extra: { [name]: value } });
  const perNode = extra.value.per === 'node';
  const titles = algorithms.flatMap((name) => findAlgorithm(name)?.title ?? []);
  return (
    <div ref={heading} class="setup-sentence">
      <PageHeading>
        Compare{' '}
        <Choice
          label="Measure"
          value={`${options.measure}${perNode ? PER_NODE : ''}`}
          texts={MEASURE_TEXTS}
          onChange={(value) =>
            navigate({
              extra: {
                measure: value.replace(PER_NODE, ''),
                per: value.endsWith(PER_NODE) ? 'node' : undefined,
              },
            })
          }
        />{' '}
        of{' '}
        <button
          type="button"
          id={ALGORITHMS_ID}
          class="clause"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <strong>
            {titles.length > MAX_NAMED ? `${NUMBERS[titles.length]} algorithms` : listed(titles)}
          </strong>
        </button>{' '}
        from {options.nodes?.[0]} to{' '}
        <Figure
          label="Largest number of nodes"
          value={options.nodes?.at(-1)}
          onChange={(text) => set('most', text)}
        />{' '}
        nodes,{' '}
        <Choice
          label="Order of the ids"
          value={options.order?.[0] ?? 'random'}
          texts={new Map(ORDERS.map((order) => [order, `${order} ids`]))}
          onChange={(value) => editSetup('order', value)}
        />
        ,{' '}
        <Choice
          label="When messages arrive"
          value={options.schedule?.[0] ?? 'lockstep'}
          texts={new Map(Object.entries(SCHEDULE_TEXTS))}
          onChange={(value) => editSetup('schedule', value)}
        />
        , <Figure label="Runs of each size" value={options.runs} onChange={(text) => set('runs', text)} />{' '}
        runs a point,{' '}
        <span class="compare-seed">
          seed{' '}
          <Figure
            label="Seed of the random draws"
            value={options.seed ?? 1}
            onChange={(text) => editSetup('seed', text)}
          />
          .
        </span>
      </PageHeading>
      {isOpen && (
        <ClausePanel
          of={ALGORITHMS_ID}
          title="Algorithms"
          onClose={() => {
            setOpen(false);
            document.getElementById(ALGORITHMS_ID)?.focus();
          }}
          onLeave={() => setOpen(false)}
        >
          <AlgorithmChoices names={algorithms} onChange={(names) => set('algorithms', names.join(','))} />
        </ClausePanel>
      )}
    </div>
  );
}

const PER_NODE = ' per node';
const MEASURE_TEXTS = new Map(
  COMPARED_MEASURES.flatMap((measure) => [
    [measure, measureText(measure)],
    [`${measure}${PER_NODE}`, `${measureText(measure)} divided by n`],
  ]),
);

/** Changes one parameter of the setup. A value that is refused is said, and the setup stays. */
function editSetup(parameter: string, text: string): void {
  const edit = editParameter(setup.peek(), parameter, [text]);
  if (edit.type === 'changed') navigate({ setup: edit.setup });
  else problems.value = [{ parameter, text: `${edit.text}.` }];
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, texts, onChange }: ChoiceProps) {
  return (
    <select
      class="clause-field"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {[...texts].map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly onChange: (text: string) => void;
}

function Figure({ label, value, onChange }: FigureProps) {
  const text = String(value ?? '');
  const field = useRef<HTMLInputElement>(null);
  // Not a controlled field: the page is drawn again with every point, while the reader types.
  useLayoutEffect(() => {
    if (field.current !== null) field.current.value = text;
  }, [text]);
  return (
    <input
      ref={field}
      class="clause-field"
      type="text"
      inputMode="numeric"
      autocomplete="off"
      aria-label={label}
      size={Math.max(2, text.length)}
      onChange={({ currentTarget }) => {
        const given = currentTarget.value.trim();
        // A value that is refused does not stay.
        currentTarget.value = text;
        onChange(given);
      }}
    />
  );
}

interface AlgorithmChoicesProps {
  readonly names: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}

/** At least one, and not more than can be told apart. */
function AlgorithmChoices({ names, onChange }: AlgorithmChoicesProps) {
  const isFull = names.length >= MAX_COMPARED;
  return (
    <>
      {isFull && <p class="caption">{`At most ${MAX_COMPARED} curves can be told apart.`}</p>}
      {ALGORITHM_GROUPS.map(({ title, algorithms }) => (
        <fieldset key={title} class="editor-choices">
          <legend class="caption">{title}</legend>
          {algorithms.map(({ name, title: text }) => {
            const isOn = names.includes(name);
            return (
              <label key={name}>
                <input
                  type="checkbox"
                  checked={isOn}
                  disabled={isOn ? names.length === 1 : isFull}
                  onChange={() => onChange(isOn ? names.filter((each) => each !== name) : [...names, name])}
                />
                <span>{text}</span>
              </label>
            );
          })}
        </fieldset>
      ))}
    </>
  );
}
