export interface ToggleProps {
  readonly text: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** An option that is on or off. */
export function Toggle({ text, isOn, onChange }: ToggleProps) {
  return (
    <label class="toggle">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {text}
    </label>
  );
}
