/**
 * The state of the lab as the fragment of a URL: page, setup, and the parameters of the page.
 *
 * Guarantees: equal states have equal fragments; every fragment gives a state that can be resolved; every parameter that
 * cannot be used is reported, and its default is used. Does not check the assumptions of the algorithm: a run that violates
 * one is a question for the reader.
 */
import { AssumptionError, InputError } from '../../../kernel/errors.ts';
import { ASSUMPTIONS, type SimulateOptions } from '../../../simulator/index.ts';
import {
  OptionSyntaxError,
  parseChoice,
  parseCrashes,
  parseFaults,
  parseIds,
  parseInitiators,
  parseNumber,
  parseOrder,
  parsePartition,
  parseSettings,
} from '../../../simulator/plan/option-syntax.ts';
import { optionTexts } from '../../../simulator/plan/option-text.ts';
import { resolvePlan } from '../../../simulator/plan/resolve-plan.ts';
import { findAlgorithm } from './algorithm-list.ts';
import { algorithmOf, DEFAULT_SETUP, type LabSetup, MOST_LAB_NODES, optionsOf } from './lab-setup.ts';

/** The pages, in the order of the tabs. */
export const PAGES = ['run', 'check', 'compare', 'write', 'learn', 'leases'] as const;
export type PageName = (typeof PAGES)[number];

/** The parameters of a page beside the setup, such as the cursor `t`. Undefined values are left out. */
export type ExtraParameters = Readonly<Record<string, string | undefined>>;

/** A parameter of a link that was not used. */
export interface LinkProblem {
  readonly parameter: string;
  /** One sentence or two: what is wrong, and what is used instead. */
  readonly text: string;
}

export interface LabState {
  readonly page: PageName;
  readonly setup: LabSetup;
  readonly extra: ExtraParameters;
}

export interface ReadLink extends LabState {
  readonly problems: readonly LinkProblem[];
}

/** The version of the names and the syntax of links. A link without `v` has this version. */
export const LINK_VERSION = 1;

type Options = Omit<LabSetup, 'algorithm'>;
type Reader = (texts: readonly string[]) => Options;

const last = (texts: readonly string[]): string => texts[texts.length - 1];

const SCHEDULES = ['lockstep', 'random', 'random:nofifo'] as const;

/** One reader for each option, by its name in links. The order is that of optionTexts. */
const READERS: Readonly<Record<string, Reader>> = {
  ids: (texts) => ({ ids: parseIds(last(texts)) }),
  nodes: (texts) => ({ nodes: parseNodes(last(texts)) }),
  order: (texts) => ({ order: parseOrder(last(texts)) }),
  initiators: (texts) => ({ initiators: parseInitiators(last(texts)) }),
  topology: (texts) => ({ topology: parseNetwork(last(texts)) }),
  schedule: (texts) => ({
    schedule: parseChoice('schedule', SCHEDULES, last(texts)),
  }),
  seed: (texts) => ({ seed: parseNumber('seed', last(texts), 'a whole number, as in 1') }),
  crash: (texts) => ({ crash: parseCrashes(texts) }),
  recover: (texts) => ({ recover: parseFaults('recover', texts) }),
  loss: (texts) => ({ loss: parseNumber('loss', last(texts), 'a probability, as in 0.1') }),
  'loss-until': (texts) => ({ lossUntil: parseNumber('loss-until', last(texts), 'a time, as in 40') }),
  duplicate: (texts) => ({ duplicate: parseNumber('duplicate', last(texts), 'a probability, as in 0.1') }),
  partition: (texts) => ({ partition: texts.map(parsePartition) }),
  set: (texts) => ({ set: parseSettings(texts) }),
  despite: (texts) => ({ despite: texts.flatMap((text) => text.split(',')) }),
  until: (texts) => ({ until: parseNumber('until', last(texts), 'a time, as in 50') }),
};

function parseNodes(text: string): number {
  const nodes = parseNumber('nodes', text, NODES_RANGE);
  if (Number.isInteger(nodes) && nodes >= 1 && nodes <= MOST_LAB_NODES) return nodes;
  throw new OptionSyntaxError('nodes', `be ${NODES_RANGE}, not ${text}`);
}

const NODES_RANGE = 'a whole number from 1 to 1,000,000';

function parseNetwork(text: string): string {
  if (!text.startsWith('edges:')) return text;
  throw new OptionSyntaxError('topology', 'be a network without a file: the lab cannot read one');
}

/** Writes the fragment, from `#` on. */
export function encodeLink({ page, setup, extra }: LabState): string {
  const pairs: [string, string][] = [];
  if (setup.algorithm !== DEFAULT_SETUP.algorithm) pairs.push(['algorithm', setup.algorithm]);
  pairs.push(...optionTexts(optionsOf(setup)));
  const names = Object.keys(extra).sort();
  for (const name of names) {
    const value = extra[name];
    if (value !== undefined) pairs.push([name, value]);
  }
  const query = pairs.map(([name, value]) => `${name}=${escapeValue(value)}`).join('&');
  return `#/${page}${query === '' ? '' : `?${query}`}`;
}

/** Keeps what is readable in a fragment, such as `ids=3,1,2` and `crash=4@2.5`. */
function escapeValue(value: string): string {
  return encodeURIComponent(value).replace(/%(2C|40|3A|2F|3D)/g, (code) => decodeURIComponent(code));
}

/** Reads the fragment of a URL, with or without `#`. */
export function decodeLink(fragment: string): ReadLink {
  const problems: LinkProblem[] = [];
  const [path, query = ''] = splitOnce(fragment.replace(/^#?\/?/, ''), '?');
  const given = readQuery(query);
  const page = PAGES.find((name) => name === path);
  if (page === undefined && path !== '') {
    problems.push({ parameter: 'page', text: `There is no page '${path}'. The page Run is shown.` });
  }
  const version = given.get('v')?.at(-1) ?? String(LINK_VERSION);
  if (version !== String(LINK_VERSION)) {
    const text = `This link has version ${version}, and this lab reads version ${LINK_VERSION}. The default setup is used.`;
    return { page: page ?? 'run', setup: DEFAULT_SETUP, extra: {}, problems: [{ parameter: 'v', text }] };
  }
  const setup = readSetup(given, problems);
  const extra = Object.fromEntries(
    [...given].flatMap(([name, texts]) =>
      isSetupParameter(name) || name === 'v' ? [] : [[name, last(texts)]],
    ),
  );
  return { page: page ?? 'run', setup, extra, problems };
}

const isSetupParameter = (name: string): boolean => name === 'algorithm' || Object.hasOwn(READERS, name);

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function readQuery(query: string): Map<string, string[]> {
  const given = new Map<string, string[]>();
  for (const pair of query.split('&').filter(Boolean)) {
    const [name, value = ''] = splitOnce(pair, '=');
    const key = unescapeValue(name);
    given.set(key, [...(given.get(key) ?? []), unescapeValue(value)]);
  }
  return given;
}

/** A text that is not valid percent-encoding stands for itself. */
function unescapeValue(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Reads the setup, and leaves out each option that is not valid beside those before it. */
function readSetup(given: ReadonlyMap<string, readonly string[]>, problems: LinkProblem[]): LabSetup {
  let setup = DEFAULT_SETUP;
  const name = given.get('algorithm')?.at(-1);
  if (name !== undefined && findAlgorithm(name) !== undefined) setup = { algorithm: name };
  else if (name !== undefined) {
    const { title } = algorithmOf(DEFAULT_SETUP);
    problems.push({ parameter: 'algorithm', text: `There is no algorithm '${name}'. ${title} is used.` });
  }
  const accepted: [name: string, options: Options][] = [];
  for (const [parameter, read] of Object.entries(READERS)) {
    const texts = given.get(parameter);
    if (texts === undefined) continue;
    try {
      accepted.push([parameter, read(texts)]);
    } catch (error) {
      problems.push({ parameter, text: problemText(error) });
    }
  }
  const whole: LabSetup = Object.assign({}, setup, ...accepted.map(([, options]) => options));
  if (problemOf(whole) === null) return whole;
  // Only now one by one: to resolve a large setup takes time.
  for (const [parameter, options] of accepted) {
    const next = { ...setup, ...options };
    const problem = problemOf(next);
    if (problem === null) setup = next;
    else problems.push({ parameter, text: problem });
  }
  return setup;
}

function problemText(error: unknown): string {
  if (!(error instanceof InputError)) throw error;
  return `${error.message.replace(/[:;] .*$/, '')}. The default is used.`;
}

/** The reason why a setup cannot be resolved, or null. */
export function problemOf(setup: LabSetup): string | null {
  const nodes = Array.isArray(setup.ids) ? setup.ids.length : setup.nodes;
  if (nodes !== undefined && nodes > MOST_LAB_NODES)
    return `ids must be at most 1,000,000. The default is used.`;
  try {
    resolveSetupOf(setup, { despite: ASSUMPTIONS });
    return null;
  } catch (error) {
    return error instanceof AssumptionError ? null : problemText(error);
  }
}

function resolveSetupOf(setup: LabSetup, change: SimulateOptions): void {
  const unknown = (setup.despite ?? []).find((name) => !(ASSUMPTIONS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new InputError(`despite must be one of ${ASSUMPTIONS.join(', ')}, not '${unknown}'`);
  }
  resolvePlan(algorithmOf(setup), { ...optionsOf(setup), ...change });
}
