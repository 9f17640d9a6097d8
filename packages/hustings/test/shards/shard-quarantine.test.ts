import { expect, test } from 'vitest';
import { ShardQuarantine } from '../../src/shards/shard-quarantine.ts';

const FREE = new Map([['x', null]]);
const toA = new Map([['x', 'a']]);
const all = (): boolean => true;

/** Looks every 10 ms, with a patience of 100 ms. */
function observe(shards: ShardQuarantine, fromMs: number, toMs: number, plan = toA): void {
  for (let nowMs = fromMs; nowMs <= toMs; nowMs += 10) shards.observe(FREE, plan, nowMs);
}

test('a member that leaves a shard free is quarantined from it when the patience is over, for 16 times that time', () => {
  const shards = new ShardQuarantine('b', 100);
  observe(shards, 1_000, 1_090);
  expect(shards.quarantined(all, 1_090)).toEqual(new Map());
  observe(shards, 1_100, 1_100);
  expect(shards.quarantined(all, 1_100)).toEqual(new Map([['x', new Set(['a'])]]));
  expect(shards.quarantined(all, 2_699).size).toBe(1);
  expect(shards.quarantined(all, 2_700).size).toBe(0);
  // The next quarantine is twice as long.
  observe(shards, 2_700, 2_810);
  expect(shards.quarantined(all, 2_800 + 3_199).size).toBe(1);
  expect(shards.quarantined(all, 2_800 + 3_200).size).toBe(0);
});

test('a quarantine ends when the member owns the shard, or is gone', () => {
  const shards = new ShardQuarantine('b', 100);
  observe(shards, 1_000, 1_100);
  shards.observe(new Map([['x', 'a']]), toA, 1_110);
  expect(shards.quarantined(all, 1_110).size).toBe(0);
  observe(shards, 1_120, 1_220);
  expect(shards.quarantined(all, 1_220).size).toBe(1);
  expect(shards.quarantined(() => false, 1_220).size).toBe(0);
  expect(shards.quarantined(all, 1_220).size).toBe(0);
});

test('nobody is quarantined for a time in which the observer has not looked, and an observer never quarantines itself', () => {
  const shards = new ShardQuarantine('b', 100);
  observe(shards, 1_000, 1_050);
  observe(shards, 5_000, 5_090);
  observe(shards, 5_100, 9_000, new Map([['x', 'b']]));
  expect(shards.quarantined(all, 9_000).size).toBe(0);
});
