export interface CommitFieldProps {
  readonly label: string;
  readonly value: string;
  /** Called when the reader confirms a text that differs: with Enter, or by leaving the field. */
  readonly onCommit: (text: string, key: 'enter' | 'leave') => void;
  readonly placeholder?: string;
  readonly note?: string;
  readonly inputMode?: 'numeric' | 'decimal' | 'text';
  /** Gets the focus when the panel opens. */
  readonly isFirst?: boolean;
}

/** A text field that changes the setup when its text is complete, not with each key. */
export function CommitField({ label, value, onCommit, isFirst, note, ...input }: CommitFieldProps) {
  const commit = (field: HTMLInputElement, key: 'enter' | 'leave'): void => {
    if (field.value !== value || key === 'enter') onCommit(field.value, key);
  };
  return (
    <label class="commit-field">
      <span>{label}</span>
      <input
        class="field"
        type="text"
        autocomplete="off"
        spellcheck={false}
        {...input}
        data-first={isFirst || undefined}
        defaultValue={value}
        key={value}
        onKeyDown={(event) => {
          // Esc closes the panel, and the field must not commit its text then.
          if (event.key === 'Escape') event.currentTarget.value = value;
          if (event.key !== 'Enter') return;
          event.preventDefault();
          commit(event.currentTarget, 'enter');
        }}
        onBlur={(event) => commit(event.currentTarget, 'leave')}
      />
      {note !== undefined && <small class="caption">{note}</small>}
    </label>
  );
}
