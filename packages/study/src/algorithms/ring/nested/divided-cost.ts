/**
 * The cost of Divided(d): what the paper counts, and the messages crash, election and reply, which it does not count.
 */
import { exact, type Law, type LawCondition, type RunFacts } from '../../../kernel/index.ts';
import { inLockstep, noCrash, oneDetector } from '../../law-conditions.ts';
import { depthOf, isPoint } from './informer-tree.ts';

const hasLongParts: LawCondition = [
  'n/u^d ≥ 2d',
  (run) => run.n / parts(run) >= 2 * Number(run.params.depth),
];
const withoutCrash = [inLockstep, noCrash, oneDetector, hasLongParts];

const informerCrashed: LawCondition = [
  'only the informer crashed, one detector',
  ({ dead, k, n }) => k === 1 && dead.length === 1 && dead[0] === n,
];
const withoutInformer = [inLockstep, informerCrashed];

export const dividedLaws: readonly Law[] = [
  exact('election', 'n + 4u^d + c + a', withoutCrash, (run) => run.n + 4 * parts(run) + wholeWay(run)),
  exact('announcement', 'n + u^d', withoutCrash, (run) => run.n + parts(run)),
  exact({ messages: 'token' }, 'n + a', withoutCrash, (run) => run.n + way(run).a),
  exact({ messages: 'divide' }, 'u^d', withoutCrash, parts),
  exact({ messages: 'information' }, 'u^d', withoutCrash, parts),
  exact(
    'announcementReturnedAt',
    'a + c + 2 + 3d + 2n/u^d, 1 less for u = 2 and d > 1',
    withoutCrash,
    (run) => wholeWay(run) + 2 + fromDivide(run),
  ),
  exact('election', 'n + u^d', withoutInformer, (run) => run.n + parts(run)),
  exact({ messages: 'crash' }, 'u^d', withoutInformer, parts),
  exact('announcement', 'n', withoutInformer, ({ n }) => n),
  exact('announcementReturnedAt', '2n', withoutInformer, ({ n }) => 2 * n),
];

/** u^d. */
function parts({ params }: RunFacts): number {
  return Number(params.u) ** Number(params.depth);
}

/** a: the number of hops from the detector to the next point; c: the number of links from there to the informer. */
function way({ n, initiators, params }: RunFacts): { readonly a: number; readonly c: number } {
  const sizes = { u: Number(params.u), depth: Number(params.depth) };
  let a = 0;
  while (!isPoint((initiators[0] + a) % n, n, sizes)) a++;
  return { a, c: depthOf((initiators[0] + a) % n, n, sizes) };
}

/** a + c. */
function wholeWay(run: RunFacts): number {
  const { a, c } = way(run);
  return a + c;
}

function fromDivide(run: RunFacts): number {
  const [u, depth] = [Number(run.params.u), Number(run.params.depth)];
  return 3 * depth + (2 * run.n) / parts(run) - (u === 2 && depth > 1 ? 1 : 0);
}
