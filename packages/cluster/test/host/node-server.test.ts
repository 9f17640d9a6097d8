/** Changes of the member list over HTTP: who may ask, what may be asked, and what is answered. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TOKEN_HEADER } from '../../../base/src/http/request-guard.ts';
import { InputError } from '../../../base/src/hustings-error.ts';
import { type NodeServer, serveNode } from '../../src/host/node-server.ts';
import type { ClusterNodeStatus } from '../../src/host/node-status.ts';
import type { MemberChange } from '../../src/membership/list-change.ts';
import { MemberChangeError } from '../../src/membership/membership.ts';

const TOKEN = 'a token of forty-three characters or so ....';
const MEMBERS = [{ id: 1, address: '127.0.0.1:7001' }];
const ADD = '{"add": {"id": 4, "address": "127.0.0.1:7004"}}';
const JSON_TYPE = { 'content-type': 'application/json' };

let server: NodeServer;
let asked: MemberChange[];
/** Thrown by the next change, if there is one. */
let failure: Error | null;
beforeEach(async () => {
  asked = [];
  failure = null;
  const change = async (one: MemberChange) => {
    asked.push(one);
    if (failure !== null) throw failure;
    return { cluster: 'demo', version: 7, members: MEMBERS };
  };
  server = await serveNode(0, () => ({ id: 1 }) as ClusterNodeStatus, { token: TOKEN, change });
});
afterEach(() => server.close());

async function post(
  body: string,
  headers: Record<string, string> = { [TOKEN_HEADER]: TOKEN, ...JSON_TYPE },
  path = 'members',
): Promise<[number, unknown]> {
  const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body });
  return [answer.status, await answer.json()];
}

it('a change with the token is made, and answered with the new list', async () => {
  expect(await post(ADD)).toEqual([200, { version: 7, members: MEMBERS }]);
  expect(await post('{"remove": 2}')).toEqual([200, { version: 7, members: MEMBERS }]);
  expect(asked).toEqual([
    { type: 'add', member: { id: 4, address: '127.0.0.1:7004' } },
    { type: 'remove', id: 2 },
  ]);
});

describe('nothing is changed', () => {
  afterEach(() => expect(asked).toEqual([]));

  it.each([
    ['without the token', {}, 403],
    ['with another token', { [TOKEN_HEADER]: TOKEN.replace('a', 'b') }, 403],
    ['with the beginning of the token', { [TOKEN_HEADER]: TOKEN.slice(0, 20) }, 403],
    ['by a page of another site', { [TOKEN_HEADER]: TOKEN, origin: 'http://evil.example' }, 403],
  ])('%s', async (_, headers, status) => {
    expect(await post(ADD, { ...JSON_TYPE, ...headers })).toEqual([status, { error: expect.any(String) }]);
  });

  it('by a form, which cannot send JSON', async () => {
    const headers = { [TOKEN_HEADER]: TOKEN, 'content-type': 'text/plain' };
    expect(await post(ADD, headers)).toEqual([415, { error: expect.stringContaining('application/json') }]);
  });

  it.each([
    ['no JSON', 'add 4'],
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['neither', '{}'],
    ['both', '{"add": {"id": 4, "address": "127.0.0.1:7004"}, "remove": 4}'],
    ['an id that is a text', '{"remove": "4"}'],
    ['a member that is a text', '{"add": "4"}'],
    ['more than any change needs', `{"remove": 4, "why": "${'x'.repeat(3_000)}"}`],
  ])('by a body that is %s: 400 and what it must be', async (_, body) => {
    expect(await post(body)).toEqual([
      400,
      { error: 'a change must be {"add": {"id": 4, "address": "HOST:PORT"}} or {"remove": 4}' },
    ]);
  });

  it('at another path, or by another method', async () => {
    expect((await post(ADD, undefined, 'status'))[0]).toBe(405);
    const headers = { [TOKEN_HEADER]: TOKEN, ...JSON_TYPE };
    const put = await fetch(`${server.url}members`, { method: 'PUT', headers, body: ADD });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });
});

it.each([
  ['400 if it can never be made', new InputError('member 4 is in the list already; choose another id'), 400],
  ['409 if another process leads', new MemberChangeError('member 1 does not lead: ask member 2'), 409],
  ['409 if a change is under way', new MemberChangeError('a change is under way; try again'), 409],
])('a change that the member refuses is answered with its line: %s', async (_, error, status) => {
  failure = error;
  expect(await post(ADD)).toEqual([status, { error: error.message }]);
});

it('a server without a token answers no change', async () => {
  const plain = await serveNode(0, () => ({ id: 1 }) as ClusterNodeStatus);
  try {
    const headers = { [TOKEN_HEADER]: '', ...JSON_TYPE };
    const answer = await fetch(`${plain.url}members`, { method: 'POST', headers, body: ADD });
    expect(answer.status).toBe(405);
  } finally {
    await plain.close();
  }
});
