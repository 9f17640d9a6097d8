import { describe, expect, it } from 'vitest';
import { Random } from '../../../study/src/kernel/random.ts';
import type { Frame } from '../../src/transport.ts';
import { eachWrongField, gateTarget, memberTargets, randomFrame } from './hostile-frames.ts';

const random = new Random(17, 'hostile');
const FRAMES = [...eachWrongField(), ...Array.from({ length: 2_000 }, () => randomFrame(random))];

describe('frames of an authenticated peer with a wrong value in any field', () => {
  it('stop no member and are refused in one line each, and the members go on', async () => {
    for (const { cluster, name, receive } of await memberTargets()) {
      for (const frame of FRAMES) {
        receive(frame);
        // What waits for the disk or a timer must not throw either.
        cluster.time.hasSettled = true;
      }
      await cluster.time.runUntil(cluster.time.nowMs + 500);
      const refused = cluster.events.flatMap(({ event, id }) =>
        id === 2 && event.type === 'refused' ? [event] : [],
      );
      expect(refused.length, name).toBeGreaterThan(FRAMES.length / 2);
      expect(refused.length, name).toBeLessThan(FRAMES.length);
      expect(refused.filter(({ reason }) => reason.length > 201 || /\p{Cc}/u.test(reason))).toEqual([]);
      expect(cluster.statusOf(2).state, name).not.toBe('stopped');
    }
  });

  it('stop no gate', () => {
    const receive = gateTarget();
    for (const frame of FRAMES) receive(frame);
  });

  it.each([
    ['key', (frame: Frame) => String(frame.key)],
    ['port', (frame: Frame) => String(frame.port)],
    ['about', (frame: Frame) => Object.hasOwn({}, frame.about as string)],
  ])('would stop a member that uses `%s` unchecked', (_, use) => {
    expect(() => FRAMES.forEach(use)).toThrow(TypeError);
  });
});
