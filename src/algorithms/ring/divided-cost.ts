/**
 * The cost of Divided(d): what the paper counts, and the messages crash, election and reply, which it does not count.
 */
import { exact, type Law, type RunFacts } from '../../kernel/index.ts';
import { depthOf, isPoint } from './informer-tree.ts';

export const dividedLaws: readonly Law[] = [
  withoutCrash('election', 'n + 4u^d + c + a', (run, way) => run.n + 4 * parts(run) + way),
  withoutCrash('announcement', 'n + u^d', (run) => run.n + parts(run)),
  withoutCrash({ messages: 'token' }, 'n + a', (run) => run.n + way(run).a),
  withoutCrash({ messages: 'divide' }, 'u^d', parts),
  withoutCrash({ messages: 'information' }, 'u^d', parts),
  withoutCrash(
    'announcementReturnedAt',
    'a + c + 2 + 3d + 2n/u^d, 1 less for u = 2 and d > 1',
    (run, way) => way + 2 + fromDivide(run),
  ),
  withoutInformer('election', 'n + u^d', (run) => run.n + parts(run)),
  withoutInformer({ messages: 'crash' }, 'u^d', parts),
  withoutInformer('announcement', 'n', ({ n }) => n),
  withoutInformer('announcementReturnedAt', '2n', ({ n }) => 2 * n),
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

function fromDivide(run: RunFacts): number {
  const [u, depth] = [Number(run.params.u), Number(run.params.depth)];
  return 3 * depth + (2 * run.n) / parts(run) - (u === 2 && depth > 1 ? 1 : 0);
}

/** A law for runs without a crash; `way` is a + c. */
function withoutCrash(
  measure: Law['measure'],
  formula: string,
  figure: (run: RunFacts, way: number) => number,
): Law {
  return exact(measure, formula, 'in lockstep, no crash, one detector, d ≥ 1, n/u^d ≥ 2d', (run) => {
    const depth = Number(run.params.depth);
    const applies = run.lockstep && run.faultless && run.k === 1 && run.crashes.length === 0;
    if (!applies || depth === 0 || run.n / parts(run) < 2 * depth) return undefined;
    const { a, c } = way(run);
    return figure(run, a + c);
  });
}

/** A law for runs in which the informer, and no other process, has crashed. */
function withoutInformer(measure: Law['measure'], formula: string, figure: (run: RunFacts) => number): Law {
  return exact(measure, formula, 'in lockstep, only the informer crashed, one detector', (run) =>
    run.lockstep && run.faultless && run.k === 1 && run.dead.length === 1 && run.dead[0] === run.n
      ? figure(run)
      : undefined,
  );
}
