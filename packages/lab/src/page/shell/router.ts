/** The URL as signals. It is the only state that survives a reload: pages write it with `navigate` and read the signals. */
import { batch, signal } from '@preact/signals';
import { DEFAULT_SETUP, type LabSetup } from '../../model/setup/lab-setup.ts';
import {
  decodeLink,
  type ExtraParameters,
  encodeLink,
  type LabState,
  type LinkProblem,
  type PageName,
} from '../../model/setup/url-state.ts';

/** The page that is shown. */
export const route = signal<PageName>('run');
/** The setup of the link, complete and valid. */
export const setup = signal<LabSetup>(DEFAULT_SETUP);
/** The parameters of the link beside the setup, such as the cursor `t`. */
export const extra = signal<ExtraParameters>({});
/** The parameters of the link that were not used. */
export const problems = signal<readonly LinkProblem[]>([]);

/** Parameters of every page. */
const SHELL_PARAMETERS = ['embed', 'theme', 'lang'];
/** Parameters that point into the run of one setup. */
const RUN_PARAMETERS = ['t', 'br'];

export interface Destination {
  readonly page?: PageName;
  readonly setup?: LabSetup;
  /** Changes of parameters; undefined removes one. A new page begins without those of the old one, a new setup without `t` and `br`. */
  readonly extra?: ExtraParameters;
}

function stateAt(to: Destination): LabState {
  const page = to.page ?? route.peek();
  const isNewSetup = to.setup !== undefined && to.setup !== setup.peek();
  const kept = Object.entries(extra.peek()).filter(
    ([name]) =>
      SHELL_PARAMETERS.includes(name) ||
      (page === route.peek() && !(isNewSetup && RUN_PARAMETERS.includes(name))),
  );
  return { page, setup: to.setup ?? setup.peek(), extra: { ...Object.fromEntries(kept), ...to.extra } };
}

/** The fragment that leads to a destination, for the `href` of a link. */
export function linkTo(to: Destination): string {
  return encodeLink(stateAt(to));
}

/** Goes to a page, a setup or a cursor. `replace` leaves no entry in the history of the browser, as for a cursor that moves. */
export function navigate(to: Destination, { replace = false } = {}): void {
  const state = stateAt(to);
  const link = encodeLink(state);
  if (link === location.hash) return;
  if (replace) history.replaceState(null, '', link);
  else history.pushState(null, '', link);
  readHash = location.hash;
  // A cursor that moves leaves the report of a bad link in place.
  const isElsewhere = to.page !== undefined || to.setup !== undefined;
  show(state, isElsewhere ? [] : problems.peek());
}

function show(state: LabState, found: readonly LinkProblem[]): void {
  batch(() => {
    route.value = state.page;
    // The same setup keeps its identity, so that a cursor that moves starts no new run.
    if (
      encodeLink({ ...state, extra: {} }) !== encodeLink({ page: state.page, setup: setup.peek(), extra: {} })
    )
      setup.value = state.setup;
    extra.value = state.extra;
    problems.value = found;
  });
}

/** What was read last. The browser reports one step by two events: the second must not discard what a page found in between. */
let readHash: string | null = null;

function readLocation(): void {
  if (location.hash === readHash) return;
  readHash = location.hash;
  const { problems: found, ...state } = decodeLink(location.hash);
  show(state, found);
}

/** Reads the URL, now and whenever the reader changes it. */
export function startRouter(): void {
  addEventListener('popstate', readLocation);
  addEventListener('hashchange', readLocation);
  readLocation();
}
