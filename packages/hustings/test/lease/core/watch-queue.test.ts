import { describe, expect, it } from 'vitest';
import { afterWatching, watchedNode } from '../../../src/lease/core/watch-queue.ts';

const nodes = ['b-0000000012', 'c-0000000007', 'a-0000000009'];

describe('a process in the queue', () => {
  it('watches the node with the next smaller number, whatever the names and the order of the list', () => {
    expect(watchedNode(nodes, 'b-0000000012')).toEqual({ type: 'predecessor', node: 'a-0000000009' });
    expect(watchedNode(nodes, 'a-0000000009')).toEqual({ type: 'predecessor', node: 'c-0000000007' });
  });

  it('is the first if no number is smaller, and joins again if its own node is not there', () => {
    expect(watchedNode(nodes, 'c-0000000007')).toEqual({ type: 'first' });
    expect(watchedNode(nodes, 'd-0000000008')).toBeNull();
  });

  it('waits while the watched node exists; without it the first one asks, and another one looks again', () => {
    const predecessor = { type: 'predecessor', node: 'c-0000000007' } as const;
    expect([afterWatching(predecessor, true), afterWatching({ type: 'first' }, true)]).toEqual([
      'wait',
      'wait',
    ]);
    expect(afterWatching(predecessor, false)).toBe('look again');
    expect(afterWatching({ type: 'first' }, false)).toBe('ask');
  });
});
