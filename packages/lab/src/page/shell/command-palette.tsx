import { useMemo, useState } from 'preact/hooks';
import { allActions, canRun, type LabAction } from './actions.ts';
import { Dialog } from './dialog.tsx';
import { keyText } from './keys.ts';

/** Words in any order; each must occur in the title. */
function matches({ title }: LabAction, query: string): boolean {
  const text = title.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Every action that can be taken now, found by its title. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [selected, setSelected] = useState(0);
  const available = useMemo(
    () =>
      allActions
        .peek()()
        .filter((action) => canRun(action) && action.id !== 'shell.commands'),
    [],
  );
  const found = available.filter((action) => matches(action, query));
  const current = Math.min(selected, found.length - 1);
  const take = (action: LabAction | undefined): void => {
    if (action === undefined) return;
    onClose();
    // After the dialog has returned the focus, so that the action can move it.
    setTimeout(action.run);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      const next = (current + step + found.length) % found.length;
      setSelected(next);
      document.getElementById(`command-${found[next].id}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      take(found[current]);
    }
  };
  return (
    <Dialog title="Commands" onClose={onClose} class="palette" bare>
      <input
        class="palette-search"
        type="text"
        role="combobox"
        aria-label="Search commands"
        aria-expanded="true"
        aria-controls="commands"
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `command-${found[current].id}` : undefined}
        placeholder="Search commands"
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="palette-list" id="commands" role="listbox" aria-label="Commands">
        {found.map((action, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys of the list
          <div
            key={action.id}
            id={`command-${action.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === current}
            onClick={() => take(action)}
            onPointerMove={() => setSelected(at)}
          >
            {action.title}
            {action.keys?.[0] !== undefined && <kbd>{keyText(action.keys[0])}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="notice">No command has these words.</p>}
    </Dialog>
  );
}
