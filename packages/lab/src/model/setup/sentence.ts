/** A setup as a sentence. Each clause is a control: the page edits it in place. */

import { listed } from '@hustings/base';
import {
  DEFAULT_NODES,
  DEFAULT_SEED,
  defaultTopologyName,
  nodesOf,
  parseTopologyName,
  resolveSetup,
  type TopologySpec,
} from '@hustings/study/driver';
import type { AnyAlgorithm } from '@hustings/study/kernel';
import { algorithmOf, type LabSetup, optionsOf } from './lab-setup.ts';

export const CLAUSES = [
  'algorithm',
  'topology',
  'nodes',
  'ids',
  'initiators',
  'schedule',
  'seed',
  'parameters',
  'faults',
  'despite',
  'until',
] as const;
export type ClauseName = (typeof CLAUSES)[number];

/** A part of the sentence that the reader can change. */
export interface SentenceClause {
  readonly name: ClauseName;
  /** The words before it, which are fixed. */
  readonly before: string;
  readonly text: string;
  /** Numbers are set in another type than words. */
  readonly isFigure: boolean;
  /** False for a clause that a narrow page shows on request only. */
  readonly isMain: boolean;
}

/** More ids are not spelled out. */
const MAX_SHOWN_IDS = 12;
const MAX_SHOWN_POSITIONS = 8;

/** The clauses that apply to a setup, in order. The sentence ends with a full stop. */
export function sentenceOf(setup: LabSetup): SentenceClause[] {
  const algorithm = algorithmOf(setup);
  const nodes = nodesInSetup(setup);
  const spec = specOf(setup, algorithm, nodes);
  const network = networkText(spec, algorithm);
  const clauses: (SentenceClause | false)[] = [
    words('algorithm', '', algorithm.title),
    words('topology', ` on ${article(network)} `, network),
    nodesClause(spec, nodes),
    idsClause(setup, algorithm, nodes),
    more('initiators', ', ', initiatorsText(setup)),
    words('schedule', ', ', SCHEDULE_TEXTS[setup.schedule ?? 'lockstep']),
    figures('seed', ', seed ', String(setup.seed ?? DEFAULT_SEED)),
    Object.keys(algorithm.params).length > 0 && more('parameters', ', ', parametersText(setup)),
    more('faults', ', ', faultsText(setup, algorithm)),
    (setup.despite ?? []).length > 0 && words('despite', ', despite ', (setup.despite ?? []).join(', ')),
    setup.until !== undefined && figures('until', ', until ', String(setup.until)),
  ];
  return clauses.filter((clause) => clause !== false);
}

/** The whole sentence as text. */
export function sentenceText(setup: LabSetup): string {
  return `${sentenceOf(setup)
    .map(({ before, text }) => before + text)
    .join('')}.`;
}

const words = (name: ClauseName, before: string, text: string): SentenceClause => ({
  name,
  before,
  text,
  isFigure: false,
  isMain: true,
});
const figures = (name: ClauseName, before: string, text: string): SentenceClause => ({
  ...words(name, before, text),
  isFigure: true,
});
const more = (name: ClauseName, before: string, text: string): SentenceClause => ({
  ...words(name, before, text),
  isMain: false,
});

/** 1,000,000. */
function group(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

function nodesClause({ shape }: TopologySpec, nodes: number): SentenceClause | false {
  if (shape === 'grid' || shape === 'torus') return false;
  return shape === 'random'
    ? words('nodes', ' and ', `${group(nodes)} nodes`)
    : figures('nodes', ' of ', group(nodes));
}

/** The number of nodes of a setup, without resolving it. A search has another default than a run. */
export function nodesInSetup({ nodes, ids, topology }: LabSetup, byDefault = DEFAULT_NODES): number {
  if (typeof ids === 'object') return ids.length;
  return nodes ?? (topology === undefined ? null : nodesOf(parseTopologyName(topology))) ?? byDefault;
}

function specOf(setup: LabSetup, { assumes }: AnyAlgorithm, nodes: number): TopologySpec {
  return parseTopologyName(setup.topology ?? defaultTopologyName(assumes.network, nodes));
}

/** An 8 × 8 grid, an 11 × 2 torus; every other name begins with a consonant. */
function article(text: string): string {
  return /^(8|1[18] )/.test(text) ? 'an' : 'a';
}

const isOneWay = ({ shape }: TopologySpec, { assumes }: AnyAlgorithm): boolean =>
  shape === 'ring' && assumes.network === 'one-way ring';

function networkText(spec: TopologySpec, algorithm: AnyAlgorithm): string {
  switch (spec.shape) {
    case 'ring':
      return isOneWay(spec, algorithm) ? 'one-way ring' : 'ring';
    case 'complete':
      return 'complete network';
    case 'random-tree':
      return 'random tree';
    case 'grid':
    case 'torus':
      return `${spec.rows} × ${spec.columns} ${spec.shape}`;
    case 'random':
      return `random network with ${group(spec.edges)} links`;
    case 'edges':
      return 'network from a file';
    default:
      return spec.shape;
  }
}

function idsClause(setup: LabSetup, algorithm: AnyAlgorithm, nodes: number): SentenceClause {
  if (algorithm.assumes.ids === 'anonymous' || setup.ids === 'anonymous') {
    return words('ids', ', ', 'without ids');
  }
  if (nodes <= MAX_SHOWN_IDS) return figures('ids', ', ids ', shownIds(setup, algorithm).join(' '));
  if (typeof setup.ids === 'object') return words('ids', ', ', 'ids as given');
  return words('ids', ', ids in ', `${setup.order ?? 'random'} order`);
}

/** The ids by position. Only for networks that are small enough to show them. */
export function shownIds(setup: LabSetup, algorithm = algorithmOf(setup)): readonly number[] {
  if (typeof setup.ids === 'object') return setup.ids;
  return [...resolveSetup(algorithm, optionsOf(setup)).ids];
}

function initiatorsText({ initiators = 'all' }: LabSetup): string {
  if (initiators === 'all') return 'all initiate';
  if ('random' in initiators) {
    return initiators.random === 1
      ? 'one random node initiates'
      : `${initiators.random} random nodes initiate`;
  }
  const texts = initiators.map((entry) =>
    typeof entry === 'number' ? `${entry}` : `${entry.position} at ${entry.time}`,
  );
  if (texts.length === 1) return `position ${texts[0]} initiates`;
  if (texts.length > MAX_SHOWN_POSITIONS) return `${texts.length} nodes initiate`;
  return `positions ${listed(texts)} initiate`;
}

/** The schedules in a sentence. */
export const SCHEDULE_TEXTS = {
  lockstep: 'in lockstep',
  random: 'random delays',
  'random:nofifo': 'random delays without FIFO',
} as const;

function parametersText({ set = {} }: LabSetup): string {
  const texts = Object.entries(set).map(([name, value]) => `${name} ${value}`);
  return texts.length === 0 ? 'default parameters' : texts.join(', ');
}

function faultsText(setup: LabSetup, { trigger }: AnyAlgorithm): string {
  const { crash, recover = [], loss = 0, lossUntil, duplicate = 0, partition = [] } = setup;
  const texts: string[] = [];
  if (crash === undefined && trigger === 'coordinator dead') texts.push('the coordinator has crashed');
  else if (typeof crash === 'object') texts.push(faultText(crash, 'crashes', 'crash'));
  if (recover.length > 0) texts.push(faultText(recover, 'recovers', 'recover'));
  if (loss > 0) texts.push(`${percent(loss)} loss${lossUntil === undefined ? '' : ` until ${lossUntil}`}`);
  if (duplicate > 0) texts.push(`${percent(duplicate)} duplicates`);
  for (const { from, until } of partition) texts.push(`a partition from ${from} to ${until}`);
  return texts.length === 0 ? 'no faults' : texts.join(', ');
}

function faultText(
  faults: readonly { readonly position: number; readonly time: number }[],
  one: string,
  many: string,
): string {
  if (faults.length > MAX_SHOWN_POSITIONS) return `${faults.length} nodes ${many}`;
  if (faults.length === 1) return `position ${faults[0].position} ${one} at ${faults[0].time}`;
  return `positions ${listed(faults.map(({ position, time }) => `${position} at ${time}`))} ${many}`;
}

const percent = (value: number): string => `${Number((value * 100).toPrecision(3))} %`;
