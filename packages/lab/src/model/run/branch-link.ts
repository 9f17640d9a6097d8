/**
 * The cursor and the branches of a run as text for a link.
 *
 * A branch is `PARENT.FORK.CHANGES`: the number of the branch that it leaves, the position where it does, and its changes
 * joined by `-`: the place of a chosen step among the enabled steps (`3`, with draws `3:1_2`), a step by the schedule
 * (`s`), a link that is cut (`c0_1`) or repaired (`r0_1`). Equal neighbours are counted: `0x5`. Branches are joined by `~`.
 * Steps that the reader has not seen are left out.
 */
import type { Branch, LinkCut } from './branch.ts';
import type { RunModel } from './run-model.ts';

/** The parameters `t` and `br` of a link; absent at the beginning of a run without branches. */
export interface RunPlace {
  readonly t?: string | undefined;
  readonly br?: string | undefined;
}

/** Writes cursor and branches. */
export function placeOf(model: RunModel): RunPlace {
  const { branches, branch, position } = model;
  const at = branches.indexOf(branch);
  const t = position === 0 && at === 0 ? undefined : `${position}${at === 0 ? '' : `.${at}`}`;
  const br = branches
    .slice(1)
    .map((each) => branchText(each, branches))
    .join('~');
  return { t, br: br === '' ? undefined : br };
}

function branchText(branch: Branch, branches: readonly Branch[]): string {
  const changes: string[] = [];
  const cutsAt = (position: number): void => {
    for (const cut of branch.cuts)
      if (cut.at === position && isOwn(branch, cut))
        changes.push(`${cut.isCut ? 'c' : 'r'}${cut.a}_${cut.b}`);
  };
  cutsAt(branch.forkAt);
  for (let k = branch.forkAt; k < branch.visited; k++) {
    const { by, choice, draws } = branch.path[k];
    changes.push(
      by === 'schedule' || choice === null
        ? 's'
        : draws === null
          ? `${choice}`
          : `${choice}:${draws.join('_')}`,
    );
    cutsAt(k + 1);
  }
  const parent = branches.indexOf(branch.parent as Branch);
  return `${parent}.${branch.forkAt}.${counted(changes)}`;
}

/** A cut that was made in this branch, and not before it left its parent. */
function isOwn(branch: Branch, cut: LinkCut): boolean {
  return branch.parent?.cuts.includes(cut) !== true;
}

function counted(changes: readonly string[]): string {
  const texts: string[] = [];
  for (let k = 0; k < changes.length; ) {
    let end = k + 1;
    while (changes[end] === changes[k]) end++;
    texts.push(end - k === 1 ? changes[k] : `${changes[k]}x${end - k}`);
    k = end;
  }
  return texts.join('-');
}

/** The largest number of changes that a link may have. */
const MAX_CHANGES = 20_000;

/** Restores cursor and branches in a model that has none yet. Returns what could not be used, as a sentence, or null. */
export function restorePlace(model: RunModel, { br, t }: RunPlace): string | null {
  const ids = [0];
  let problem: string | null = null;
  for (const text of br === undefined || br === '' ? [] : br.split('~')) {
    try {
      ids.push(restoreBranch(model, ids, text));
    } catch (error) {
      problem = `Branch ${ids.length} of the link does not fit this run (${(error as Error).message}). It ends before that.`;
      break;
    }
  }
  const [, position = '0', at = '0'] = /^(\d+)(?:\.(\d+))?$/.exec(t ?? '0') ?? [];
  model.switchTo(ids[Number(at)] ?? 0, Number(position));
  return problem;
}

function restoreBranch(model: RunModel, ids: readonly number[], text: string): number {
  const [, parent, fork, changes] = /^(\d+)\.(\d+)\.([\w:-]*)$/.exec(text) ?? [];
  const from = ids[Number(parent)];
  if (changes === undefined || from === undefined) throw new RangeError(`'${text}' is no branch`);
  model.switchTo(from, Number(fork));
  if (model.position !== Number(fork)) throw new RangeError(`there is no step ${fork}`);
  for (const change of changes.split('-')) {
    const [, what, count = '1'] = /^(s|[cr]\d+_\d+|\d+(?::\d+(?:_\d+)*)?)(?:x(\d+))?$/.exec(change) ?? [];
    if (what === undefined || Number(count) > MAX_CHANGES) throw new RangeError(`'${change}' is no change`);
    for (let k = 0; k < Number(count); k++) restoreChange(model, what);
  }
  return model.branch.id;
}

function restoreChange(model: RunModel, what: string): void {
  if (what.startsWith('c') || what.startsWith('r')) {
    const [a, b] = what.slice(1).split('_').map(Number);
    if (what.startsWith('c')) model.cut(a, b);
    else model.repair(a, b);
  } else if (what === 's') {
    if (model.position === model.length) model.extend(1);
    if (!model.forward()) throw new RangeError('the run is over');
  } else {
    const [place, draws] = what.split(':');
    const step = model.world.enabled()[Number(place)];
    if (step === undefined) throw new RangeError(`there is no step ${place}`);
    model.take(draws === undefined ? step : { ...step, draws: draws.split('_').map(Number) });
  }
}
