import { describe, expect, it } from 'vitest';
import type { ClusterNodeEvent } from '../../src/host/node-status.ts';
import { limitRefusals, MAX_KINDS, PERIOD_MS } from '../../src/host/refusal-limit.ts';

/** What is left of events by the clock of the test. */
function limited() {
  const reported: ClusterNodeEvent[] = [];
  const clock = { nowMs: 0 };
  const members = { cluster: 'demo', version: 1, members: [{ id: 1, address: '127.0.0.1:7001' }] };
  const options = { members, onEvent: (event: ClusterNodeEvent) => void reported.push(event) };
  const { onEvent } = limitRefusals(options, () => clock.nowMs);
  return { reported, clock, take: onEvent };
}

const refused = (address: string, text = 'its certificate is refused'): ClusterNodeEvent => ({
  type: 'wire',
  event: { type: 'refused', peer: null, address, reason: 'certificate', text },
});

describe('refusals', () => {
  it('of one unauthenticated host are reported once, and then once in a period with the number in between', () => {
    const { clock, reported, take } = limited();
    for (let second = 0; second < 150; second++) {
      clock.nowMs = 1_000 * second;
      // A port of its own for each connection.
      take(refused(`10.0.0.9:${50_000 + second}`));
    }
    expect(reported).toEqual([
      refused('10.0.0.9:50000'),
      { ...refused('10.0.0.9:50060'), repeats: 59 },
      { ...refused('10.0.0.9:50120'), repeats: 59 },
    ]);
  });

  it('of different peers, and for different reasons, are told apart', () => {
    const { reported, take } = limited();
    const different: ClusterNodeEvent[] = [
      refused('127.0.0.1:50000'),
      refused('127.0.0.1:7001'),
      refused('127.0.0.1:50000', 'its certificate has expired'),
      { type: 'wire', event: { type: 'refused-by-peer', peer: 1, text: 'it refuses the certificate' } },
      { type: 'member', event: { type: 'refused', from: 1, reason: 'no port' } },
      { type: 'member', event: { type: 'refused', from: 2, reason: 'no port' } },
    ];
    for (const event of [...different, ...different]) take(event);
    expect(reported).toEqual(different);
  });

  it('of any number of kinds are bounded in each period, and a kind is forgotten after it', () => {
    const { clock, reported, take } = limited();
    for (let kind = 0; kind < 10 * MAX_KINDS; kind++) take(refused('10.0.0.9:1', `reason ${kind}`));
    expect(reported).toHaveLength(MAX_KINDS + 1);
    clock.nowMs = PERIOD_MS;
    take(refused('10.0.0.9:1', 'another reason'));
    expect(reported.at(-1)).toEqual(refused('10.0.0.9:1', 'another reason'));
  });
});

it('all other events are reported each time', () => {
  const { reported, take } = limited();
  const events: ClusterNodeEvent[] = [
    { type: 'wire', event: { type: 'connected', peer: 1 } },
    { type: 'member', event: { type: 'suspicion', peer: 1, suspected: true } },
    { type: 'warning', text: 'one of two records is skipped' },
  ];
  for (const event of [...events, ...events]) take(event);
  expect(reported).toEqual([...events, ...events]);
});
