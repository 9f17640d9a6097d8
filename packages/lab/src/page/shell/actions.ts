/** The list of everything that can be done now. Keys, the command palette and the table of keys read this one list. */
import { computed, signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface LabAction {
  /** Unique in the lab, such as `run.play`. */
  readonly id: string;
  /** What the palette shows: a phrase such as 'Step back'. */
  readonly title: string;
  /**
   * Keys: 'Space', 'A', 'Shift+A', '1', '?', 'Plus', 'Minus', 'ArrowRight', 'Shift+ArrowRight', 'Home', 'Escape', 'PageDown',
   * 'Mod+K' (Ctrl or ⌘), or two in turn: 'G R'. Letters are upper case.
   */
  readonly keys?: readonly string[];
  readonly run: () => void;
  /** False while the action cannot be taken. */
  readonly when?: () => boolean;
}

interface Source {
  current: readonly LabAction[];
}

const sources = signal<readonly Source[]>([]);

/** Registers actions while the component is mounted. A later component takes precedence where keys are equal. */
export function useActions(actions: readonly LabAction[]): void {
  const source = useRef(actions);
  source.current = actions;
  useLayoutEffect(() => {
    sources.value = [...sources.peek(), source];
    return () => {
      sources.value = sources.peek().filter((each) => each !== source);
    };
  }, []);
}

/** All actions, those of the page first. */
export const allActions = computed(
  () => (): LabAction[] => [...sources.value].reverse().flatMap((source) => source.current),
);

export const canRun = ({ when }: LabAction): boolean => when === undefined || when();
