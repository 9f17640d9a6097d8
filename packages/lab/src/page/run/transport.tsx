import { Button } from '../shell/button.tsx';
import { Segmented } from '../shell/segmented.tsx';
import { type RunStore, SPEEDS } from './run-store.ts';

const SPEED_TEXTS: Readonly<Record<number, string>> = { 0.5: '½', 1: '1', 4: '4', 0: 'max' };

/** Play, pause, step, scrub, speed. */
export function Transport({ store }: { readonly store: RunStore }) {
  const { model, isPlaying, speed } = store;
  store.version.value;
  const { length, position } = model;
  return (
    <div class="transport" role="toolbar" aria-label="Transport">
      <input
        type="range"
        class="scrubber"
        min={0}
        max={length}
        value={position}
        aria-label="Position in the run"
        aria-valuetext={`step ${position} of ${length}`}
        onInput={({ currentTarget }) => store.seek(Number(currentTarget.value))}
      />
      <Button kind="plain" aria-label="First step" disabled={position === 0} onClick={() => store.seek(0)}>
        <Glyph d="M3 2v10M12 2 5 7l7 5z" />
      </Button>
      <Button aria-label="Step back" disabled={position === 0} onClick={() => store.seek(position - 1)}>
        <Glyph d="M10 2 4 7l6 5z" />
      </Button>
      <Button kind="main" onClick={() => store.toggle()}>
        <Glyph d={isPlaying.value ? 'M3 2h3v10H3zM8 2h3v10H8z' : 'M4 2l7 5-7 5z'} />
        {isPlaying.value ? 'Pause' : 'Play'}
      </Button>
      <Button aria-label="Step" disabled={position === length} onClick={() => store.seek(position + 1)}>
        <Glyph d="M4 2l6 5-6 5z" />
      </Button>
      <Button
        kind="plain"
        aria-label="Last step"
        disabled={position === length}
        onClick={() => store.seek(length)}
      >
        <Glyph d="M11 2v10M2 2l7 5-7 5z" />
      </Button>
      <output class="transport-place">
        {/* As wide as the last step: a diagram that changed its height with each digit would be drawn twice. */}
        step <strong style={{ minWidth: `${String(length).length}ch` }}>{position}</strong> of {length}
      </output>
      <span class="transport-speed">
        <span class="caption">speed</span>
        <Segmented
          label="Speed"
          options={SPEEDS.map((each) => ({ value: String(each), text: SPEED_TEXTS[each] }))}
          value={String(speed.value)}
          onChange={(value) => {
            speed.value = Number(value);
          }}
        />
      </span>
    </div>
  );
}

function Glyph({ d }: { readonly d: string }) {
  return (
    <svg class="glyph" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
      <path d={d} />
    </svg>
  );
}
