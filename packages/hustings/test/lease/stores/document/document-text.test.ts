import { expect, test } from 'vitest';
import { EMPTY_ROW } from '../../../../src/lease/core/lease-row.ts';
import {
  electionText,
  newElection,
  parseElection,
} from '../../../../src/lease/stores/document/document-text.ts';

const rules = { hasClock: true, keepTerms: 100 };

test('a document has the names of fields that other versions read and write', () => {
  const kept = newElection('job', 7n, rules);
  const row = JSON.parse(electionText(kept)).row;
  expect(Object.keys(row)).toEqual([
    ...['token', 'version', 'holder', 'untilMs', 'spanMs', 'notBeforeMs', 'holdMs', 'standBackMs'],
    ...['successor', 'transferTo', 'challenger', 'metadata', 'checkpoint', 'updates'],
  ]);
});

test('a document is read as it was written', () => {
  const row = { ...EMPTY_ROW, token: 3n, version: 4n, untilMs: 50, durationMs: 60, cooldownMs: 70 };
  const kept = newElection('job', 3n, rules);
  kept.election.row = row;
  expect(parseElection('job', electionText(kept), rules).election.row).toEqual(row);
});
