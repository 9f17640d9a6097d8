import { describe, expect, it } from 'vitest';
import type { RenewRequest } from '../../../src/lease/core/calls.ts';
import type { TermUpdate } from '../../../src/lease/core/term-data.ts';
import { ScriptedCandidate } from './scripted-candidate.ts';

const update = (number: number, change: Omit<TermUpdate, 'number'>) =>
  ({ type: 'update', update: { number, ...change } }) as const;

const lastRequest = ({ lastCall }: ScriptedCandidate) => lastCall.request as RenewRequest;

describe('an update of a leader', () => {
  it('is carried by a renewal at once, and confirmed by its answer', () => {
    const ann = new ScriptedCandidate().elect();
    expect(ann.step(update(1, { checkpoint: 'at 7' }))).toEqual(['renew']);
    expect(lastRequest(ann).update).toEqual({ number: 1, checkpoint: 'at 7' });
    expect(ann.renewed()).toEqual(['updated']);
    expect(ann.outputs).toEqual([{ type: 'updated', number: 1 }]);
    ann.untilRenewal();
    expect(lastRequest(ann)).not.toHaveProperty('update');
  });

  it('that comes while a call is pending is sent after its answer, together with others', () => {
    const ann = new ScriptedCandidate().elect().untilRenewal();
    expect(ann.step(update(1, { checkpoint: 'at 7' }))).toEqual([]);
    expect(ann.step(update(2, { metadata: { a: 1 } }))).toEqual([]);
    expect(ann.step(update(3, { checkpoint: 'at 8' }))).toEqual([]);
    expect(ann.renewed()).toEqual(['renew']);
    expect(lastRequest(ann).update).toEqual({ number: 3, checkpoint: 'at 8', metadata: { a: 1 } });
    expect(ann.renewed()).toEqual(['updated']);
  });

  it('is repeated after an error or a timeout, until a call that carries it is answered', () => {
    const ann = new ScriptedCandidate().elect();
    ann.step(update(1, { checkpoint: 'at 7' }));
    ann.fail('unreachable');
    expect(ann.pass(1_000)).toContain('renew');
    expect(lastRequest(ann).update).toEqual({ number: 1, checkpoint: 'at 7' });
    const silent = ann.lastCall.call;
    expect(ann.pass(2_600)).toContain('renew');
    // The late answer is to a call with the same update, but the next one is under way: that one counts.
    expect(ann.renewed(silent)).toEqual([]);
    expect(ann.renewed()).toEqual(['updated']);
  });

  it('is not confirmed by the answer to a renewal that was sent before it', () => {
    const ann = new ScriptedCandidate().elect().untilRenewal();
    const before = ann.lastCall.call;
    ann.step(update(1, { checkpoint: 'at 7' }));
    expect(ann.pass(2_600)).toContain('renew');
    expect(ann.renewed(before)).toEqual([]);
    expect(ann.renewed()).toEqual(['updated']);
  });

  it('is carried by the release of a term that is not renewed any more', () => {
    const ann = new ScriptedCandidate().elect().untilRenewal();
    const answer = { type: 'evicted', cooldownMs: 5_000 } as const;
    ann.step({ type: 'renew-answer', call: ann.lastCall.call, answer });
    expect(ann.step(update(1, { checkpoint: 'at 7' }))).toEqual([]);
    expect(ann.step({ type: 'settled' })).toEqual(['release']);
    expect(ann.lastCall.request).toMatchObject({ checkpoint: 'at 7' });
    expect(ann.released()).toEqual(['updated', 'ended']);
  });

  it('is not confirmed by a release that comes too late', () => {
    const ann = new ScriptedCandidate().elect();
    const release = { type: 'release', reason: 'released', successor: null, again: false } as const;
    expect(ann.step({ ...release, update: { number: 1, checkpoint: 'at 7' } })).toEqual(['stopping']);
    expect(ann.step({ type: 'settled' })).toEqual(['release']);
    expect(ann.released('lost')).toEqual(['ended', 'stopped']);
  });

  it('is not sent while no progress is reported', () => {
    const ann = new ScriptedCandidate({}, { stallAfterMs: 4_000 }).elect();
    ann.untilRenewal();
    ann.renewed();
    ann.pass(5_000);
    const sent = ann.calls.length;
    ann.step(update(1, { metadata: { a: 1 } }));
    expect(ann.calls).toHaveLength(sent);
    expect(ann.step({ type: 'progress' })).toEqual(['renew']);
    expect(lastRequest(ann).update).toEqual({ number: 1, metadata: { a: 1 } });
  });
});
