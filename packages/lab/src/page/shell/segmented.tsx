import { useId } from 'preact/hooks';

export interface SegmentedProps<V extends string> {
  /** What is chosen, for screen readers. */
  readonly label: string;
  readonly options: readonly { readonly value: V; readonly text: string; readonly disabled?: boolean }[];
  readonly value: V;
  readonly onChange: (value: V) => void;
}

/** A choice among a few, all visible: a radio group. */
export function Segmented<V extends string>({ label, options, value, onChange }: SegmentedProps<V>) {
  const name = useId();
  return (
    <div class="segmented" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          {option.text}
        </label>
      ))}
    </div>
  );
}
