/**
 * The state of the lab as the fragment of a URL: page, setup, and the parameters of the page.
 *
 * Guarantees: equal states have equal fragments; every fragment gives a setup that can be resolved; every parameter that
 * cannot be used is reported, and its default is used. Does not check the assumptions of the algorithm: a run that violates
 * one is a question for the reader.
 */
import { capitalized } from '@hustings/base';
import { DEFAULT_CHECK_NODES } from '@hustings/study/checker';
import { DEFAULT_NODES, DEFAULT_SEED } from '@hustings/study/driver';
import { optionTexts } from '@hustings/study/internal/simulator/plan/option-text';
import { findAlgorithm } from './algorithm-list.ts';
import { algorithmOf, DEFAULT_SETUP, type LabSetup, optionsOf } from './lab-setup.ts';
import {
  messageOf,
  problemOf,
  readParameter,
  SETUP_PARAMETERS,
  type SetupOptionsOfLab,
  withoutDefaults,
} from './parameters.ts';

/** The pages, in the order of the tabs. */
export const PAGES = ['run', 'check', 'compare', 'write', 'learn', 'leases', 'cluster'] as const;
export type PageName = (typeof PAGES)[number];

/** The parameters of a page beside the setup, such as the cursor `t`. Undefined values are left out. */
export type ExtraParameters = Readonly<Record<string, string | undefined>>;

/** A parameter of a link that was not used. */
export interface LinkProblem {
  readonly parameter: string;
  /** Two sentences: what is wrong, and what is used instead. */
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
const LINK_VERSION = 1;

const DEFAULT_TEXTS: Readonly<Record<string, string>> = {
  nodes: `The default ${DEFAULT_NODES} is used.`,
  seed: `The default ${DEFAULT_SEED} is used.`,
  schedule: 'Lockstep is used.',
  despite: 'It is left out.',
};

/**
 * The number of nodes if neither the link nor the network determines it: a search is smaller than a run. Null for a search that
 * has a preset, which is taken only if the link does not say what to search.
 */
export function defaultNodes(page: PageName, setup: LabSetup): number | null {
  if (page !== 'check') return DEFAULT_NODES;
  return algorithmOf(setup).checking === undefined ? DEFAULT_CHECK_NODES : null;
}

function withoutDefaultSize(setup: LabSetup, page: PageName): LabSetup {
  if (setup.nodes !== defaultNodes(page, setup)) return setup;
  const { nodes: _, ...others } = setup;
  return others;
}

/** Writes the fragment, from `#` on. */
export function encodeLink({ page, setup, extra }: LabState): string {
  const pairs: [string, string][] = [];
  if (setup.algorithm !== DEFAULT_SETUP.algorithm) pairs.push(['algorithm', setup.algorithm]);
  pairs.push(...optionTexts(optionsOf(withoutDefaultSize(withoutDefaults(setup), page))));
  for (const name of Object.keys(extra).sort()) {
    const value = extra[name];
    if (value !== undefined) pairs.push([escapePart(name), value]);
  }
  const query = pairs.map(([name, value]) => `${name}=${escapePart(value)}`).join('&');
  return `#/${page}${query === '' ? '' : `?${query}`}`;
}

/** Keeps what is readable in a fragment, such as `ids=3,1,2` and `crash=4@2.5`. */
function escapePart(text: string): string {
  return encodeURIComponent(text).replace(/%(2C|40|3A|2F)/g, (code) => decodeURIComponent(code));
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
  const setup = withoutDefaultSize(readSetup(given, problems), page ?? 'run');
  const names = [...given.keys()].filter((name) => !['v', 'algorithm', ...SETUP_PARAMETERS].includes(name));
  const extra = Object.fromEntries(names.map((name) => [name, given.get(name)?.at(-1)]));
  return { page: page ?? 'run', setup, extra, problems };
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function readQuery(query: string): Map<string, string[]> {
  const given = new Map<string, string[]>();
  for (const pair of query.split('&').filter(Boolean)) {
    const [name, value = ''] = splitOnce(pair, '=');
    const key = unescapePart(name);
    given.set(key, [...(given.get(key) ?? []), unescapePart(value)]);
  }
  return given;
}

/** A text that is not valid percent-encoding stands for itself. */
function unescapePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads the setup, and leaves out each option that is not valid beside those before it. */
function readSetup(given: ReadonlyMap<string, readonly string[]>, problems: LinkProblem[]): LabSetup {
  const report = (parameter: string, problem: string): void => {
    const used = DEFAULT_TEXTS[parameter] ?? 'The default is used.';
    problems.push({ parameter, text: `${asSentence(problem)}. ${used}` });
  };
  let setup = DEFAULT_SETUP;
  const name = given.get('algorithm')?.at(-1);
  if (name !== undefined && findAlgorithm(name) !== undefined) setup = { algorithm: name };
  else if (name !== undefined) {
    const { title } = algorithmOf(DEFAULT_SETUP);
    problems.push({ parameter: 'algorithm', text: `There is no algorithm '${name}'. ${title} is used.` });
  }
  const accepted: [parameter: string, options: SetupOptionsOfLab][] = [];
  for (const parameter of SETUP_PARAMETERS) {
    const texts = given.get(parameter);
    if (texts === undefined) continue;
    try {
      accepted.push([parameter, readParameter(parameter, texts)]);
    } catch (error) {
      report(parameter, messageOf(error));
    }
  }
  const whole: LabSetup = Object.assign({}, setup, ...accepted.map(([, options]) => options));
  if (problemOf(whole) === null) return withoutDefaults(whole);
  // Only now one by one: to resolve a large setup takes time.
  for (const [parameter, options] of accepted) {
    const next = { ...setup, ...options };
    const problem = problemOf(next);
    if (problem === null) setup = next;
    else report(parameter, problem);
  }
  return withoutDefaults(setup);
}

/** Names of parameters keep their spelling. */
function asSentence(text: string): string {
  return SETUP_PARAMETERS.some((name) => text.startsWith(`${name} `))
    ? `\`${text.replace(' ', '` ')}`
    : capitalized(text);
}
