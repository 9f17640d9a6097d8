/** The list of algorithms, with a search field. */
import { useState } from 'preact/hooks';
import { ALGORITHM_GROUPS } from '../../model/setup/algorithm-list.ts';
import { editAlgorithm } from '../../model/setup/edit-setup.ts';
import { setup } from '../shell/router.ts';
import type { EditorProps } from './editor-props.ts';

export function AlgorithmEditor({ apply }: EditorProps) {
  const [query, setQuery] = useState('');
  const wanted = query.toLowerCase().split(/\s+/);
  const groups = ALGORITHM_GROUPS.map(({ title, algorithms }) => ({
    title,
    algorithms: algorithms.filter((each) =>
      wanted.every((word) =>
        `${title} ${each.title} ${each.name} ${each.source}`.toLowerCase().includes(word),
      ),
    ),
  })).filter(({ algorithms }) => algorithms.length > 0);
  const take = (name: string): void =>
    apply({ type: 'changed', setup: editAlgorithm(setup.peek(), name) }, { close: true });
  const moveFocus = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const list = (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(
      'input, .algorithm-choice',
    );
    if (step === undefined) return;
    event.preventDefault();
    const at = [...list].indexOf(document.activeElement as HTMLElement);
    list[Math.min(list.length - 1, Math.max(0, at + step))]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys go on from the field to the buttons
    <div onKeyDown={moveFocus}>
      <input
        class="field algorithm-search"
        type="text"
        aria-label="Search algorithms"
        placeholder="Search algorithms"
        autocomplete="off"
        spellcheck={false}
        data-first
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          const first = groups[0]?.algorithms[0];
          if (event.key !== 'Enter' || first === undefined) return;
          event.preventDefault();
          take(first.name);
        }}
      />
      <div class="algorithm-list">
        {groups.map(({ title, algorithms }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            {algorithms.map((each) => (
              <button
                key={each.name}
                type="button"
                class="algorithm-choice"
                aria-pressed={each.name === setup.value.algorithm}
                onClick={() => take(each.name)}
              >
                <span>{each.title}</span>
                <span class="caption">{each.cost}</span>
              </button>
            ))}
          </section>
        ))}
        {groups.length === 0 && <p class="caption">No algorithm has these words.</p>}
      </div>
    </div>
  );
}
