/** One algorithm in full. */

import type { AlgorithmDescription } from '../../kernel/algorithm-description.ts';
import type { AnyAlgorithm, Law } from '../../kernel/index.ts';
import { formulaOf, nameOf } from '../../kernel/law-text.ts';
import { formatTable } from '../table.ts';
import type { Screen } from '../terminal.ts';

const TIMING: Readonly<Record<string, string>> = {
  async: 'async: a message may take any time',
  boundedDelay: 'timely: a round trip is over within the time-out',
  rounds: 'rounds: all clocks start at 0 and every message takes one unit',
};

const INDENT = '  ';

export function algorithmPage(
  algorithm: AnyAlgorithm,
  description: AlgorithmDescription,
  { width, paint }: Screen,
  calledAs = description.name,
): string[] {
  const { name, title, source, params, messages, timers } = description;
  const section = (heading: string, rows: readonly (readonly string[])[]): string[] => {
    if (rows.length === 0) return [];
    const columns = rows[0].map(() => ({ title: '' }));
    const table = formatTable(columns, rows, width - INDENT.length);
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
        `${each.default} by default${each.dependsOnN ? ' at 8 nodes' : ''}`,
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
    ...section('laws', lawRows(algorithm.laws)),
    '',
    paint('strong', 'example'),
    `${INDENT}hustings simulate ${calledAs} --nodes 16`,
  ];
}

const OCCASION: Readonly<Record<string, string>> = {
  start: 'at the start',
  'coordinator dead': 'when the coordinator, the largest id, is dead',
  'coordinator missed': 'when somebody misses the coordinator, as often as that happens',
};

function modelRows({ assumes, trigger, startOnMessage, cost }: AlgorithmDescription): string[][] {
  const { network, timing, ids, fifo, knows, faults, mayErr } = assumes;
  const rows = [
    ['network', network],
    ['timing', TIMING[timing] ?? timing],
    ['ids', ids],
    [
      'links',
      fifo ? 'FIFO: what is sent first on a link arrives first' : 'messages may overtake one another',
    ],
    ['a node knows', [ids === 'unique' ? 'its id' : 'its ports', ...knows].join(', ')],
    ['survives', faults.join(', ') || 'no crash, no loss'],
    ['is called', OCCASION[trigger] ?? trigger],
    ['messages', cost],
  ];
  if (startOnMessage) rows.push(['initiators', 'start at the latest when a message reaches them']);
  if (mayErr) rows.push(['may err', 'it ends with no leader, or more than one, with a small chance']);
  return rows;
}

function lawRows(laws: readonly Law[]): string[][] {
  return laws.map((law, index) => {
    const isSame = index > 0 && nameOf(laws[index - 1].measure) === nameOf(law.measure);
    return [isSame ? '' : nameOf(law.measure), formulaOf(law), law.when ?? ''];
  });
}
