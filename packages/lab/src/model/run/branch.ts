/** One branch of a run: the steps that it shares with its parent, then its own. */
import type { History } from '@hustings/study/driver';
import type { RunStep } from './run-step.ts';

/** A link that the reader cut or repaired: from a position in the branch on, all messages between two nodes are lost. */
export interface LinkCut {
  readonly at: number;
  readonly a: number;
  readonly b: number;
  readonly isCut: boolean;
}

/** One branch of a run. */
export class Branch {
  /** All steps from the beginning; those before `forkAt` are the parent's own objects. */
  readonly path: RunStep[];
  readonly cuts: LinkCut[];
  /** The furthest position that was shown. Scheduled steps beyond it may be replaced without a fork. */
  visited: number;
  /** Changes with every change of the path, for caches. */
  version = 0;

  constructor(
    readonly id: number,
    readonly parent: Branch | null,
    /** The number of steps that are shared with the parent. */
    readonly forkAt: number,
    readonly history: History,
    path: readonly RunStep[],
  ) {
    this.path = [...path];
    this.cuts = parent?.cuts.filter(({ at }) => at <= forkAt) ?? [];
    this.visited = forkAt;
  }

  get length(): number {
    return this.path.length;
  }

  /** True if this branch and another agree in their first `length` steps. */
  sharesPrefix(other: Branch, length: number): boolean {
    return length === 0 || this.path[length - 1] === other.path[length - 1];
  }

  /** The time in units of a step of the world, of which starts that come together are no steps. */
  timeOfStep(step: number): number {
    return step === 0 ? 0 : (this.path[step - 1 + this.together]?.time ?? 0);
  }

  /** The number of initiators that started together, before the first step of the world. */
  get together(): number {
    const first = this.path.findIndex(({ events, step }) => step.type !== 'start' || events[0].time > 0);
    return first < 0 ? this.path.length : first;
  }

  /** The pairs of positions, as 'a-b' with the smaller first, whose link is cut at a position of the branch. */
  cutLinks(position: number): Set<string> {
    const links = new Set<string>();
    for (const { a, at, b, isCut } of this.cuts) {
      if (at > position) continue;
      if (isCut) links.add(linkName(a, b));
      else links.delete(linkName(a, b));
    }
    return links;
  }
}

/** The number of starts before the first other step. On an axis of steps they count as 0. */
export function leadingStarts(path: readonly RunStep[]): number {
  const first = path.findIndex(({ step }) => step.type !== 'start');
  return first < 0 ? path.length : first;
}

/** The name of a link, the same in both directions. */
export function linkName(a: number, b: number): string {
  return `${Math.min(a, b)}-${Math.max(a, b)}`;
}
