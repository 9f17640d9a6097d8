/** The description of one algorithm as text. */

import { formatTable } from '@hustings/base';
import type { Screen } from '@hustings/base/command/terminal';
import type { AlgorithmDescription } from '../../kernel/algorithm-description.ts';
import type { AnyAlgorithm, Law } from '../../kernel/index.ts';
import { formulaOf, nameOf } from '../../kernel/law-text.ts';

const TIMING: Readonly<Record<string, string>> = {
  asynchronous: 'asynchronous: a message may take any time',
  'bounded-delay': 'bounded-delay: a round trip ends within the timeout',
  synchronous: 'synchronous: all nodes act in rounds, and a message takes one round',
};

const INDENT = '  ';

export function algorithmPage(
  algorithm: AnyAlgorithm,
  description: AlgorithmDescription,
  { width, paint }: Screen,
  calledAs = description.name,
): string[] {
  const { name, title, source, params, measures, messages, timers } = description;
  const section = (heading: string, rows: readonly (readonly string[])[]): string[] => {
    if (rows.length === 0) return [];
    const table = formatTable(
      rows[0].map(() => ''),
      rows,
      width - INDENT.length,
    );
    return ['', paint('strong', heading), ...table.map((line) => INDENT + line)];
  };
  return [
    `${paint('strong', title)} (${name})`,
    source,
    ...section('model', modelRows(description)),
    ...section(
      'parameters, --set name=value',
      params.map((each) => [
        each.name,
        each.range,
        `default ${each.default}${each.dependsOnN ? ' for 8 nodes' : ''}`,
        each.about,
      ]),
    ),
    ...section(
      'messages',
      messages.map(({ type, fields, announces, upkeep }) => [
        type,
        fields.join(', '),
        announces ? 'announcement' : upkeep ? 'upkeep' : '',
      ]),
    ),
    ...section(
      'timers',
      timers.map((timer) => [timer]),
    ),
    ...section(
      'measures',
      measures.map(({ name: measure, type, about }) => [measure, type, about]),
    ),
    ...section('laws', lawRows(algorithm.laws)),
    ...section(
      'invariants',
      description.invariants.map(({ name: invariant, scope, statement }) => [
        invariant,
        scope,
        `${statement}.`,
      ]),
    ),
    '',
    paint('strong', 'example'),
    `${INDENT}hustings simulate ${calledAs} --nodes 16`,
  ];
}

const TRIGGER: Readonly<Record<string, string>> = {
  start: 'the start of the system',
  'coordinator dead': 'the crash of the coordinator, the largest id',
  'coordinator missed': 'a node suspects that the coordinator has crashed, possibly several times',
};

function modelRows({ assumes, trigger, startOnMessage, cost }: AlgorithmDescription): string[][] {
  const { network, timing, ids, fifo, knows, faults, mayErr } = assumes;
  const rows = [
    ['network', network],
    ['timing', TIMING[timing] ?? timing],
    ['ids', ids],
    ['links', fifo ? 'FIFO' : 'messages may overtake one another'],
    ['a node knows', [ids === 'unique' ? 'its id' : 'its ports', ...knows].join(', ')],
    ['tolerates', faults.join(', ') || 'no faults'],
    ['trigger', TRIGGER[trigger] ?? trigger],
    ['messages', cost],
  ];
  if (startOnMessage)
    rows.push(['initiators', 'start when a message reaches them, if they have not started']);
  if (mayErr) rows.push(['Monte Carlo', 'ends with no leader or several, with a small probability']);
  return rows;
}

function lawRows(laws: readonly Law[]): string[][] {
  return laws.map((law, index) => {
    const isSame = index > 0 && nameOf(laws[index - 1].measure) === nameOf(law.measure);
    return [isSame ? '' : nameOf(law.measure), formulaOf(law), law.when ?? ''];
  });
}
