import { existsSync, readFileSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandProcess, startHustings, temporaryFolder } from '../../../../../test-kit/command.ts';
import { until } from '../../../../../test-kit/until.ts';
import { get, send } from '../../sidecar/sidecar-client.ts';

const folder = temporaryFolder();
const run = commandProcess();
const TOKEN = 'x'.repeat(20);

const campaign = (to: Parameters<typeof send>[0], token: string) =>
  send(to, '/campaign', {
    method: 'POST',
    headers: { 'x-hustings-token': token, 'content-type': 'application/json' },
    body: '{}',
  });

describe.concurrent('hustings serve', () => {
  it('prints its address and a new token as JSON, and events as JSON on stderr; ends with 0 on Ctrl-C', async () => {
    const args = ['serve', 'a', '--store', 'sqlite:./a.db', '--port', '0', '--json', '--grace', '50ms'];
    const serve = startHustings(args, folder.path, { HUSTINGS_SERVE_TOKEN: '' });
    await until(() => serve.lines().length > 0);
    const { url, token, socket } = JSON.parse(serve.lines()[0]);
    expect([url, token, socket]).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
      expect.stringMatching(/^[0-9a-f]{48}$/),
      null,
    ]);
    const to = { port: Number(new URL(url).port) };
    expect((await campaign(to, token)).status).toBe(201);
    await until(() => serve.errors().includes('\n'));
    const [first] = serve.errors().split('\n');
    expect(JSON.parse(first)).toMatchObject({ level: 'info', event: 'elected', election: 'a' });
    serve.end('SIGINT');
    expect((await serve.ended).status).toBe(0);
    await expect(get(to, '/healthz')).rejects.toThrow();
  });

  it('takes the token of the environment and prints it nowhere, and refuses a short one', async () => {
    const args = ['serve', 'b', '--store', 'sqlite:./b.db', '--port', '0'];
    const serve = startHustings(args, folder.path, { HUSTINGS_SERVE_TOKEN: TOKEN });
    await until(() => serve.lines().length > 0);
    const [line] = serve.lines();
    const [, port] = /^The sidecar is at http:\/\/127\.0\.0\.1:(\d+)\/ \(Ctrl-C stops it\)$/.exec(line) ?? [];
    expect((await get({ port: Number(port) }, '/leader')).body).toMatchObject({ name: 'b', type: 'vacant' });
    expect((await campaign({ port: Number(port) }, `${TOKEN}x`)).status).toBe(403);
    serve.end('SIGTERM');
    const { status, stdout, stderr } = await serve.ended;
    expect(status).toBe(0);
    expect(stdout + stderr).not.toContain(TOKEN);
  });

  it('writes the token into a file for this user alone, and listens on a socket', async () => {
    const args = ['serve', 'c', '--store', 'sqlite:./c.db', '--socket', 'sock', '--token-file', 'token'];
    const serve = startHustings(args, folder.path, { HUSTINGS_SERVE_TOKEN: '' });
    await until(() => serve.lines().length > 0);
    expect(serve.lines()).toEqual(['The sidecar is at sock (Ctrl-C stops it)']);
    const file = join(folder.path, 'token');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const socketPath = join(folder.path, 'sock');
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    const token = readFileSync(file, 'utf8').trim();
    expect((await campaign({ socketPath }, token)).status).toBe(201);
    // Killed: the lease runs out, and the next start takes the same token and replaces the socket.
    serve.end('SIGKILL');
    await serve.ended;
    expect(existsSync(socketPath)).toBe(true);
    // Not under nohup, which ignores SIGHUP.
    const again = startHustings(args, folder.path, { HUSTINGS_SERVE_TOKEN: '', _: '' });
    await until(() => again.lines().length > 0);
    const answer = await campaign({ socketPath }, token);
    expect([answer.status, answer.body.state]).toEqual([201, 'waiting']);
    again.end('SIGHUP');
    expect((await again.ended).status).toBe(0);
    expect(existsSync(socketPath)).toBe(false);
  });
});

describe('hustings serve with wrong input', () => {
  it('ends with 3 if the port is in use: a service knows one address', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) =>
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as AddressInfo).port)),
    );
    const args = ['serve', 'a', '--store', 'sqlite:./a.db', '--port', String(port)];
    const { status, stderr } = await run(args, folder.path);
    taken.close();
    expect([status, stderr]).toEqual([
      3,
      `hustings: port ${port} is in use; use another one, or 0 for any\n`,
    ]);
  });

  it.each([
    [[], /^hustings: missing required argument 'NAME'/],
    [['a', '--port', '1', '--socket', 's'], /^hustings: --port and --socket exclude each other/],
    [
      ['a', '--store', 'sqlite:./a.db', '--port', 'x'],
      /^hustings: --port must be a whole number from 0 to 65535/,
    ],
    [['a', '--store', 'memory:x'], /^hustings: the memory store is not shared/],
    [['a', '--store', 'redis://:secret@h'], /^hustings: --store must not contain a password/],
    [['a', '--store', 'sqlite:./a.db', '--on-lost', ' '], /^hustings: --on-lost must be a command/],
    [['a', '--store', 'sqlite:./a.db', '--pod-label', 'x'], /^hustings: the label must be KEY=VALUE/],
  ])('is refused: %j', async (flags, text) => {
    const { status, stderr } = await run(['serve', ...flags], folder.path);
    expect([status, stderr]).toEqual([2, expect.stringMatching(text)]);
  });
});
