/** The keys of the Run page. */
import type { LabAction } from '../shell/actions.ts';
import { type RunStore, selectedNode } from './run-store.ts';

/** The cursor and the speed. */
export function transportActions(store: RunStore): LabAction[] {
  const { model } = store;
  return [
    { id: 'run.play', title: 'Play or pause', keys: ['Space'], run: () => store.toggle() },
    { id: 'run.step', title: 'Step', keys: ['ArrowRight'], run: () => store.seek(model.position + 1) },
    { id: 'run.back', title: 'Step back', keys: ['ArrowLeft'], run: () => store.seek(model.position - 1) },
    {
      id: 'run.next-key-moment',
      title: 'Next decision or fault',
      keys: ['Shift+ArrowRight'],
      run: () => store.seek(model.keyMoment(1)),
    },
    {
      id: 'run.previous-key-moment',
      title: 'Previous decision or fault',
      keys: ['Shift+ArrowLeft'],
      run: () => store.seek(model.keyMoment(-1)),
    },
    { id: 'run.first', title: 'First step', keys: ['Home'], run: () => store.seek(0) },
    { id: 'run.last', title: 'Last step', keys: ['End'], run: () => store.seek(model.length) },
    { id: 'run.faster', title: 'Faster', keys: ['Plus'], run: () => store.changeSpeed(1) },
    { id: 'run.slower', title: 'Slower', keys: ['Minus'], run: () => store.changeSpeed(-1) },
  ];
}

/** Everything that can be done with a run. The list does not change with the run, so keys keep their place. */
export function runActions(store: RunStore): LabAction[] {
  const { model, selection } = store;
  const node = (): number | null => selectedNode(selection.peek());
  const selectNode = (by: 1 | -1): void => {
    const n = model.plan.topology.n;
    const at = node();
    selection.value = { type: 'node', node: at === null ? (by === 1 ? 0 : n - 1) : (at + by + n) % n };
  };
  const switchBranch = (by: 1 | -1): void => {
    const { branches, branch } = model;
    const next = branches[branches.indexOf(branch) + by];
    if (next !== undefined) store.change((each) => each.switchTo(next.id));
  };
  const hasMessage = (): boolean => store.selectedMessage() !== null;
  const onNode = (act: (at: number) => void) => (): void => {
    const at = node();
    if (at !== null) store.change(() => act(at));
  };
  return [
    ...transportActions(store),
    { id: 'run.previous-branch', title: 'Previous branch', keys: ['ArrowUp'], run: () => switchBranch(-1) },
    { id: 'run.next-branch', title: 'Next branch', keys: ['ArrowDown'], run: () => switchBranch(1) },
    { id: 'run.next-node', title: 'Next node', keys: ['N'], run: () => selectNode(1) },
    { id: 'run.previous-node', title: 'Previous node', keys: ['Shift+N'], run: () => selectNode(-1) },
    {
      id: 'run.crash',
      title: 'Crash the selected node',
      keys: ['C'],
      when: () => node() !== null,
      run: onNode((at) => model.crash(at)),
    },
    {
      id: 'run.recover',
      title: 'Recover the selected node',
      keys: ['R'],
      when: () => node() !== null,
      run: onNode((at) => model.recover(at)),
    },
    {
      id: 'run.lose',
      title: 'Lose the selected message',
      keys: ['L'],
      when: hasMessage,
      run: () => store.change((each) => each.lose(store.selectedMessage() as never)),
    },
    {
      id: 'run.duplicate',
      title: 'Duplicate the selected message',
      keys: ['D'],
      when: hasMessage,
      run: () => store.change((each) => each.duplicate(store.selectedMessage() as never)),
    },
    {
      id: 'run.undo',
      title: 'Undo the last intervention',
      keys: ['Z'],
      when: () => model.revisable.undo,
      run: () => store.revise((each) => each.undo()),
    },
    {
      id: 'run.redo',
      title: 'Redo the intervention',
      keys: ['Shift+Z'],
      when: () => model.revisable.redo,
      run: () => store.revise((each) => each.redo()),
    },
    ...Array.from({ length: 9 }, (_, k) => ({
      id: `run.take-${k + 1}`,
      title: `Take step ${k + 1}`,
      keys: [String(k + 1)],
      when: () => store.enabled.peek().length > k,
      run: () => store.change((each) => each.take(store.enabled.peek()[k].step)),
    })),
  ];
}
