/**
 * Elect, then count and name: on an anonymous ring of which only N ≤ n ≤ 2N−1 is known, Itai–Rodeh elects a leader, and the
 * leader then finds the size of the ring and gives every node a name of its own.
 *
 * C1  A node that becomes the leader takes the name 1 and sends `count` with it to the next node.
 * C2  A node that receives `count` takes the next name and forwards it.
 * C3  When `count` returns to the leader, it holds the size of the ring. The leader sends `size` around the ring.
 */

import { formatFigure } from '@hustings/base';
import { itaiRodehBounded } from '@hustings/study/algorithms';
import { check } from '@hustings/study/checker';
import { counter, defineAlgorithm, message } from '@hustings/study/kernel';
import { type Study, verdictOf } from '../claim.ts';
import { stated } from '../origin.ts';
import { ANY_SCHEDULE, numbered } from '../parameter-grid.ts';
import { LECTURE_22 } from '../sources.ts';

const NEXT = 1;
const upToSize = counter(({ n }) => n);

const { assumes, cost, params, source } = itaiRodehBounded;

export const census = defineAlgorithm({
  name: 'census',
  title: 'Itai–Rodeh, then a census',
  source,
  cost,
  assumes,
  params,
  state: { ...itaiRodehBounded.state, name: upToSize, size: upToSize },
  messages: {
    ...itaiRodehBounded.messages,
    count: message(['names', upToSize]),
    size: message(['size', upToSize]),
  },

  onStart(state, ctx) {
    itaiRodehBounded.onStart(state, ctx);
  },

  on: {
    token(state, port, message, ctx) {
      itaiRodehBounded.on.token(state, port, message, ctx);
      if (state.at !== 'leader' || state.name > 0) return;
      state.name = 1; // C1
      ctx.send(NEXT, 'count', 1);
    },

    elected(state, port, message, ctx) {
      itaiRodehBounded.on.elected(state, port, message, ctx);
    },

    count(state, _port, { names }, ctx) {
      if (state.at === 'leader') {
        state.size = names; // C3
        ctx.send(NEXT, 'size', names);
      } else {
        state.name = names + 1; // C2
        ctx.send(NEXT, 'count', names + 1);
      }
    },

    size(state, _port, { size }, ctx) {
      if (state.at === 'leader') return; // C3
      state.size = size;
      ctx.forward(NEXT);
    },
  },

  invariants: {
    network: {
      'names-differ': {
        statement: 'No two nodes have the same name',
        holds: ({ nodes }) => {
          const names = nodes.map(({ state }) => state.name).filter((name) => name > 0);
          return new Set(names).size === names.length;
        },
      },
      'size-is-right': {
        statement: 'A node that knows a size knows the number of nodes, and all nodes have names then',
        holds: ({ nodes }) =>
          nodes.every(({ state: { size } }) => size === 0 || size === nodes.length) &&
          (nodes.every(({ state: { size } }) => size === 0) ||
            nodes.every(({ state: { name } }) => name > 0)),
      },
    },
  },

  laws: [],
});

export const censusStudy: Study = {
  claims: [
    {
      id: 'itai-rodeh-bounded/size',
      origin: stated([LECTURE_22, 'line 209']),
      says: 'a leader can find the size of an anonymous network',
      method: 'every schedule',
    },
    {
      id: 'itai-rodeh-bounded/names',
      origin: stated([LECTURE_22, 'line 210']),
      says: 'a leader can give every node of an anonymous network a name of its own',
      method: 'every schedule',
    },
  ],
  measure(experiment) {
    const runs = experiment.some(300, 3000);
    const wrong = { size: 0, names: 0 };
    for (const options of numbered(experiment, runs, (index) => ({
      nodes: 1 + (index % 12),
      schedule: ANY_SCHEDULE[index % 3],
      set: { c: 2 },
    }))) {
      const { plan, simulation } = experiment.run(census, options);
      const nodes = Array.from({ length: plan.nodes }, (_, at) => simulation.machine.fieldsOf(at));
      if (nodes.some(({ size }) => size !== plan.nodes)) wrong.size++;
      if (new Set(nodes.map(({ name }) => name)).size !== plan.nodes) wrong.names++;
    }
    const search = check(census, { nodes: 3, set: { c: 2, N: 2 }, bound: { round: 1 }, reduce: 'none' });
    const isChecked = search.violations.length === 0 && search.stopped === null;
    const text = (what: string): string =>
      `${what} in ${formatFigure(runs)} rings of up to 12 nodes whose size is not known exactly; no violation in ${formatFigure(search.states)} states of 3 nodes`;
    return [
      {
        verdict: verdictOf(isChecked && wrong.size === 0),
        measured: text(`${formatFigure(runs - wrong.size)} times every node learns n`),
        why: 'a protocol built for this: Itai–Rodeh elects, then a token of the leader counts the nodes, with n messages, and n more tell all nodes. On rings; the search is cut after the first round of draws',
      },
      {
        verdict: verdictOf(isChecked && wrong.names === 0),
        measured: text(`${formatFigure(runs - wrong.names)} times the names are 1 to n`),
        why: 'the token that counts the nodes names them on its way',
      },
    ];
  },
};
