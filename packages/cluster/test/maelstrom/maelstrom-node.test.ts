import { describe, expect, it } from 'vitest';
import { registry } from '../../../study/src/algorithms/index.ts';
import type { AnyAlgorithm } from '../../../study/src/kernel/index.ts';
import { MaelstromNode } from '../../src/maelstrom/maelstrom-node.ts';
import type { MemberRecord } from '../../src/runtime/durable-outbox.ts';
import { VirtualTime } from '../virtual-time.ts';

type Body = Record<string, unknown>;

const named = (name: string): AnyAlgorithm => registry.find((each) => each.name === name) as AnyAlgorithm;
const init = (body: Body = {}): Body => ({ type: 'init', node_id: 'n1', node_ids: ['n1'], ...body });

/** One node in virtual time. */
function createNode(
  algorithm = named('raft'),
  save: (record: MemberRecord) => Promise<void> = async () => {},
) {
  const time = new VirtualTime();
  const lines: string[] = [];
  const log: string[] = [];
  const failures: string[] = [];
  const node = new MaelstromNode({
    algorithm,
    heartbeatMs: 100,
    unitMs: 20,
    clock: {
      now: () => time.nowMs,
      wallMs: () => time.nowMs,
      after: (delayMs, run) =>
        time.after(delayMs, () => {
          time.hasSettled = true;
          run();
        }),
    },
    draw: () => 1,
    incarnation: 1,
    store: () => ({ load: async () => null, save }),
    write: (line) => lines.push(line),
    log: (text) => log.push(text),
    onStopped: ({ message }) => failures.push(message),
  });
  /** The answers to one request. */
  const ask = async (body: Body): Promise<Body[]> => {
    lines.length = 0;
    node.receive(JSON.stringify({ src: 'c1', dest: 'n1', body: { msg_id: 7, ...body } }));
    await time.runUntil(time.nowMs);
    return lines.map((line) => JSON.parse(line)).filter(({ dest }) => dest === 'c1');
  };
  return { node, ask, lines, log, failures, run: (ms: number) => time.runUntil(time.nowMs + ms) };
}

const answer = (body: Body): Body => ({ src: 'n1', dest: 'c1', body: { ...body, in_reply_to: 7 } });
const error = (code: number, text: string): Body => answer({ type: 'error', code, text });

describe('a node of Maelstrom', () => {
  it('answers init, leader and echo', async () => {
    const { ask, log, run } = createNode();
    expect(await ask(init())).toEqual([answer({ type: 'init_ok' })]);
    expect(await ask({ type: 'leader' })).toEqual([answer({ type: 'leader_ok', leader: null, term: 0 })]);
    await run(10_000);
    expect(await ask({ type: 'leader' })).toEqual([answer({ type: 'leader_ok', leader: 'n1', term: 1 })]);
    expect(await ask({ type: 'echo', echo: 'hi' })).toEqual([answer({ type: 'echo_ok', echo: 'hi' })]);
    expect(log).toEqual(['leader n1, term 1']);
  });

  it('answers other requests with the errors of Maelstrom', async () => {
    const { ask } = createNode();
    expect(await ask({ type: 'leader' })).toEqual([error(11, 'this node waits for init')]);
    await ask(init());
    expect(await ask({ type: 'read', key: 1 })).toEqual([
      error(10, '"read" is not a request of this node: send leader or echo'),
    ]);
    expect(await ask({})).toEqual([error(12, 'type must be text, not nothing')]);
    expect(await ask(init())).toEqual([error(22, 'this node is n1 already')]);
  });

  it.each([
    [{ node_id: 'n9' }, 'node_id must be one of node_ids, not "n9"'],
    [{ node_ids: ['n1', 'n1'] }, 'node_ids must be a list of different names'],
    [{ node_ids: 'n1' }, 'node_ids must be a list of different names'],
  ])('refuses init with %j, and takes a right one after it', async (wrong, text) => {
    const { ask } = createNode();
    expect(await ask(init(wrong))).toEqual([error(12, text)]);
    expect(await ask(init())).toEqual([answer({ type: 'init_ok' })]);
  });

  it('refuses init for an algorithm that cannot run between processes', async () => {
    const synchronous = registry.find(({ assumes }) => assumes.timing === 'synchronous');
    const { ask } = createNode(synchronous);
    const [refused] = await ask(init());
    expect(refused.body).toMatchObject({
      code: 12,
      text: expect.stringContaining('assumes synchronous rounds'),
    });
  });

  it('stops if its state cannot be saved', async () => {
    const { ask, failures, run } = createNode(named('raft'), () => Promise.reject(new Error('disk full')));
    await ask(init());
    await run(10_000);
    expect(failures).toEqual(['its state could not be saved: disk full']);
    const [{ body }] = await ask({ type: 'leader' });
    expect(body).toMatchObject({ type: 'leader_ok', leader: null });
  });
});
