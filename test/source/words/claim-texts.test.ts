import { describe, expect, it } from 'vitest';
import { readSources } from '../source-file.ts';
import { sentencesAboutProject } from './claim-texts.ts';

describe('the texts of claims', () => {
  it('have no sentence about hustings', () => {
    expect(sentencesAboutProject(readSources())).toEqual([]);
  });

  it.each([
    "why: 'one lease for each shard. hustings does not balance the shards'",
    "why: 'a model with late notifications; hustings itself has no such election'",
    "why: 'an elector of hustings renews'",
    "why: 'this project has none'",
    "why: 'a property of programs: the lease tests check it with real processes (docs/elector.md)'",
    "why: 'the model checker explores all states of the lease protocol'",
  ])('are searched: %s', (text) => {
    expect(sentencesAboutProject([{ path: 'packages/claims/src/claims/a.ts', text }])).toHaveLength(1);
  });

  it('may name a command', () => {
    const text = "replay: 'hustings simulate peterson --nodes 4'";
    expect(sentencesAboutProject([{ path: 'packages/claims/src/claims/a.ts', text }])).toEqual([]);
  });
});
