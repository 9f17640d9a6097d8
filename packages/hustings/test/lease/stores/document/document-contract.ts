/** What the contract suite needs of a store of documents, given access to its documents. */
import type { DocumentKey } from '../../../../src/lease/stores/document/document-server.ts';
import { SETTINGS } from '../../../../src/lease/stores/document/document-server.ts';
import {
  electionText,
  LAYOUT_VERSION,
  parseElection,
} from '../../../../src/lease/stores/document/document-text.ts';
import { setBack } from '../../contract/set-back.ts';
import type { FutureLayout, StoreUnderTest } from '../../contract/suite.ts';

/** Reads and writes a document of the server without regard to its revision. */
export interface DocumentTexts {
  get(key: DocumentKey): Promise<string | null>;
  put(key: DocumentKey, text: string): Promise<void>;
}

const RULES = { hasClock: false, keepTerms: 100 };

export function documentHooks(
  texts: DocumentTexts,
  version = LAYOUT_VERSION,
): Pick<StoreUnderTest, 'setToken' | 'setBack' | 'putOffTick'> & {
  readonly layout: FutureLayout;
} {
  const edit = async (key: DocumentKey, change: (document: Record<string, unknown>) => object) => {
    const text = await texts.get(key);
    if (text !== null) await texts.put(key, JSON.stringify(change(JSON.parse(text))));
  };
  return {
    setToken: (name, token) =>
      edit(name, ({ row, ...rest }) => ({ ...rest, row: { ...(row as object), token: String(token) } })),
    setBack: async (name, ms) => {
      const text = await texts.get(name);
      if (text === null) return;
      const kept = parseElection(name, text, RULES);
      kept.election.row = setBack(kept.election.row, ms);
      const last = kept.election.terms.at(-1);
      if (last?.endMs === null) {
        const { startMs, claimedUntilMs } = last;
        const later = { ...last, startMs: startMs + ms, claimedUntilMs: claimedUntilMs + ms };
        kept.election.terms.splice(-1, 1, later);
      }
      await texts.put(name, electionText(kept));
    },
    putOffTick: (name, fromMs, toMs) =>
      edit(name, ({ ticks, ...rest }) => ({
        ...rest,
        ticks: (ticks as [number][]).map(([tickMs, ...tick]) => [tickMs === fromMs ? toMs : tickMs, ...tick]),
      })),
    layout: {
      raise: (compatibleFrom) => edit(SETTINGS, (settings) => ({ ...settings, version: 5, compatibleFrom })),
      restore: () => edit(SETTINGS, (settings) => ({ ...settings, version, compatibleFrom: version })),
      setExtra: (name, value) =>
        edit(name, ({ row, ...rest }) => ({ ...rest, row: { ...(row as object), extra: value } })),
      extra: async (name) => JSON.parse((await texts.get(name)) ?? '{"row":{}}').row.extra ?? null,
    },
  };
}
