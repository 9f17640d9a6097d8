/** An algorithm with every kind of field, whose actions a test defines. */
import { Machine, resolveParams } from '../../src/kernel/driver.ts';
import {
  type AnyAlgorithm,
  announcement,
  choice,
  counter,
  defineAlgorithm,
  flag,
  id,
  ids,
  integer,
  message,
  port,
  Random,
  Topology,
} from '../../src/kernel/index.ts';

export const sampleAlgorithm = defineAlgorithm({
  name: 'sample',
  title: 'Sample',
  source: 'none',
  cost: '0',
  assumes: { network: 'ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: { most: integer('the largest count', { min: 1, max: 100, byDefault: 10 }) },
  state: {
    best: id(),
    kept: id({ durable: true }),
    count: counter(({ params }) => Number(params.most)),
    sure: flag({ initially: true }),
    phase: choice(['asleep', 'awake', 'done']),
    parent: port(),
    seen: ids(),
    log: ids({ durable: true }),
  },
  messages: {
    empty: message(),
    full: message(
      ['id', id()],
      ['count', counter(({ params }) => Number(params.most))],
      ['sure', flag()],
      ['colour', choice(['red', 'green', 'blue'])],
      ['path', ids()],
    ),
    word: announcement(['path', ids()], ['id', id()]),
  },
  onStart: () => undefined,
  on: { empty: () => undefined, full: () => undefined, word: () => undefined },
  laws: [],
});

/** A machine on a ring of nodes with these ids, with a random generator. */
export function machineFor(
  algorithm: AnyAlgorithm,
  given: readonly number[],
  set = {},
  oneWay = false,
): Machine {
  const n = given.length;
  const machine = new Machine(algorithm, {
    n,
    ids: Int32Array.from(given),
    topology: Topology.ring(n, { oneWay }),
    params: resolveParams(algorithm.name, algorithm.params, n, set),
    diameter: Math.floor(n / 2),
    status: new Uint8Array(n),
  });
  const die = new Random(1);
  machine.context.draw = (k) => 1 + die.below(k);
  return machine;
}

type Start = AnyAlgorithm['onStart'];

/** The sample algorithm with another start, and other assumptions if given. */
export function sampleWith(
  onStart: (...given: Parameters<Start>) => void,
  assumes: Partial<AnyAlgorithm['assumes']> = {},
): AnyAlgorithm {
  const algorithm: AnyAlgorithm = sampleAlgorithm;
  return {
    ...algorithm,
    assumes: { ...algorithm.assumes, ...assumes },
    onStart: (state, ctx): undefined => {
      onStart(state, ctx);
    },
  };
}
