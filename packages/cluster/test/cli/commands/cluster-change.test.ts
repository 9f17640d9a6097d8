/** `hustings cluster add` and `remove` against a server that answers as the test says. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandProcess, temporaryFolder } from '../../../../../test-kit/command.ts';
import { freePort } from '../../../../../test-kit/servers/index.ts';
import { InputError } from '../../../../base/src/hustings-error.ts';
import { type NodeServer, serveNode } from '../../../src/host/node-server.ts';
import type { ClusterNodeStatus } from '../../../src/host/node-status.ts';
import type { MemberChange } from '../../../src/membership/list-change.ts';
import { MemberChangeError, SilentMemberError } from '../../../src/membership/membership.ts';

const folder = temporaryFolder();
const run = commandProcess();
const asked: MemberChange[] = [];
let server: NodeServer;
beforeAll(async () => {
  const change = async (one: MemberChange) => {
    asked.push(one);
    const id = one.type === 'add' ? one.member.id : one.id;
    if (id === 1) throw new InputError('member 1 is in the list already; choose another id');
    if (id === 2) throw new MemberChangeError('member 1 does not lead: ask member 3, which leads');
    if (one.type === 'add' && id === 6) throw new SilentMemberError(one.member);
    const members = [1, 3].map((each) => ({ id: each, address: `127.0.0.1:700${each}` }));
    return { cluster: 'demo', version: 8, members };
  };
  server = await serveNode(0, () => ({ id: 1 }) as ClusterNodeStatus, { token: 'right', change });
  writeFileSync(join(folder.path, 'right'), 'right\n');
  writeFileSync(join(folder.path, 'wrong'), 'wrong\n');
});
afterAll(() => server.close());

const change = async (text: string, token = 'right', node = server.url) => {
  const { status, stderr, stdout } = await run(
    ['cluster', ...text.split(' '), '--node', node, '--token-file', token],
    folder.path,
  );
  return [status, stdout, stderr];
};

it('asks the node, prints the new list and ends with 0', async () => {
  expect(await change('add 4 127.0.0.1:7004')).toEqual([0, 'version 8 of the member list: 1, 3\n', '']);
  expect(await change('remove 5')).toEqual([0, 'version 8 of the member list: 1, 3\n', '']);
  expect(asked).toEqual([
    { type: 'add', member: { id: 4, address: '127.0.0.1:7004' } },
    { type: 'remove', id: 5 },
  ]);
});

describe('a change that is not made is one line, and an exit code', () => {
  it('2 if it can never be made', async () => {
    const line = 'hustings: member 1 is in the list already; choose another id\n';
    expect(await change('add 1 127.0.0.1:7004')).toEqual([2, '', line]);
  });

  it('3 if another process must be asked', async () => {
    const line = 'hustings: member 1 does not lead: ask member 3, which leads\n';
    expect(await change('remove 2')).toEqual([3, '', line]);
  });

  it('3 if the new member does not answer, with the flag to start it with', async () => {
    const line = 'member 6 does not answer at 127.0.0.1:7006; start it with --join, then repeat';
    expect(await change('add 6 127.0.0.1:7006')).toEqual([3, '', `hustings: ${line}\n`]);
  });

  it('3 with the token of another process', async () => {
    expect(await change('remove 5', 'wrong')).toEqual([
      3,
      '',
      `hustings: ${server.url}members refuses the token in wrong (a change needs the header x-hustings-token); ` +
        'use the file http-token of that member\n',
    ]);
  });

  it('3 if nothing listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    const [status, , line] = await change('remove 5', 'right', url);
    expect([status, line]).toEqual([
      3,
      expect.stringMatching(/^hustings: .*\/members cannot be reached: [^\n]*\n$/),
    ]);
  });

  it.each([
    ['remove 5', '--node is required'],
    ['remove 5 --node http://127.0.0.1:1', '--token-file is required'],
    [
      'remove 5 --node here --token-file right',
      "--node must be a URL such as http://127.0.0.1:4750, not 'here'",
    ],
    [
      'remove five --node http://127.0.0.1:1 --token-file right',
      "ID must be the id of a member, a whole number from 0, not 'five'",
    ],
    [
      'add 4 here --node http://127.0.0.1:1 --token-file right',
      "HOST:PORT must have the form HOST:PORT, with an IPv6 address in brackets, not 'here'",
    ],
    ['add 4 --node http://127.0.0.1:1 --token-file right', "missing required argument 'HOST:PORT'"],
    ['remove 5 --node http://127.0.0.1:1 --token-file none', 'none'],
  ])('2 for %s', async (args, says) => {
    const { status, stderr } = await run(['cluster', ...args.split(' ')], folder.path);
    expect([status, stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

it.each([
  ['add', 'hustings cluster add 4 127.0.0.1:7004 --node'],
  ['remove', 'hustings cluster remove 2 --node'],
])('the help of %s has an example and the exit codes', async (verb, example) => {
  const { status, stdout } = await run(['cluster', verb, '--help'], folder.path);
  expect(status).toBe(0);
  expect(stdout).toContain(`\nExample:\n  ${example}`);
  expect(stdout).toContain('Exit codes: 0 done; 2 bad input; 3 it is not the leader');
  for (const option of ['--node <URL>', '--token-file <FILE>']) expect(stdout).toContain(option);
});
