import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { Redis } from 'ioredis';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startProcess } from '../limits/child-process.ts';
import { describeWith, startPostgres, startRedis, type TestServer } from './index.ts';

async function eventually(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(isTrue, { timeout: 20_000, interval: 50 }).toBe(true);
}

/** Where there is none, nobody can see that a process is stopped. */
const hasProc = existsSync('/proc/self/stat');

const state = (pid: number): string =>
  existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1][0] : 'gone';

async function refuses(server: TestServer): Promise<boolean> {
  const socket = createConnection({ port: server.port, host: '127.0.0.1' });
  const came = await Promise.race([
    once(socket, 'connect').then(() => false),
    once(socket, 'error').then(() => true),
  ]).catch(() => true);
  socket.destroy();
  return came;
}

await describeWith('redis-server', 'a Redis of the tests', () => {
  it('answers, forgets on restart, keeps its port, and is gone after stop', async () => {
    const server = await startRedis({ appendonly: false });
    const { folder } = server;
    const redis = new Redis(server.url);
    redis.on('error', () => undefined);
    const { pid, port } = server;
    try {
      await redis.set('a', '1');
      await server.restart('kill9');
      expect(server.port).toBe(port);
      expect(server.pid).not.toBe(pid);
      expect(await redis.get('a')).toBeNull();
      expect(existsSync(folder)).toBe(true);
    } finally {
      redis.disconnect();
      await server.stop();
    }
    expect(existsSync(folder)).toBe(false);
    expect(await refuses(server)).toBe(true);
  });

  it('keeps what it was told over kill −9, unless it was told not to', async () => {
    const server = await startRedis();
    const redis = new Redis(server.url);
    redis.on('error', () => undefined);
    try {
      await redis.set('a', '1');
      await server.restart('kill9');
      expect(await redis.get('a')).toBe('1');
    } finally {
      redis.disconnect();
      await server.stop();
    }
  });

  it('wants its password, and knows the users it was given', async () => {
    const server = await startRedis({ password: 'a b@c', acl: ['app on >p ~x:* &x:* +@all'] });
    const redis = new Redis(server.url);
    const app = new Redis({ port: server.port, username: 'app', password: 'p' });
    const stranger = new Redis({ port: server.port });
    for (const each of [redis, app, stranger]) each.on('error', () => undefined);
    try {
      expect(await redis.set('y', '1')).toBe('OK');
      await expect(app.set('y', '1')).rejects.toThrow(/NOPERM/);
      expect(await app.set('x:y', '1')).toBe('OK');
      await expect(stranger.set('y', '1')).rejects.toThrow(/NOAUTH/);
    } finally {
      for (const each of [redis, app, stranger]) each.disconnect();
      await server.stop();
    }
  });

  it.skipIf(!hasProc)(
    'is stopped, and its folder removed, when the process that started it is killed',
    async () => {
      const script = `
      const { startRedis } = await import(${JSON.stringify(new URL('./redis-server.ts', import.meta.url).href)});
      const server = await startRedis();
      server.pause();
      console.log(server.pid, server.folder);
      setInterval(() => {}, 1000);`;
      const esbuild = await import('esbuild');
      const { outputFiles } = await esbuild.build({
        stdin: { contents: script, resolveDir: import.meta.dirname },
        bundle: true,
        write: false,
        format: 'esm',
        platform: 'node',
        plugins: [
          {
            name: 'files by their address',
            setup: (build) =>
              build.onResolve({ filter: /^file:/ }, ({ path }) => ({
                path: new URL(path).pathname,
              })) as undefined,
          },
        ],
      });
      const owner = startProcess(process.execPath, ['--input-type=module', '-e', outputFiles[0].text], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        const [line] = await once(owner.stdout, 'data');
        const [pid, folder] = `${line}`.trim().split(' ');
        await eventually(() => state(Number(pid)) === 'T');
        expect(existsSync(folder)).toBe(true);
        owner.kill('SIGKILL');
        await eventually(() => ['gone', 'Z'].includes(state(Number(pid))) && !existsSync(folder));
      } finally {
        owner.kill('SIGKILL');
      }
    },
  );
});

await describeWith('postgres', 'a PostgreSQL of the tests', () => {
  it('answers, keeps what it was told over kill −9, and is gone after stop', async () => {
    const server = await startPostgres({ password: 'p@ss' });
    const { folder } = server;
    const ask = async (text: string): Promise<unknown[]> => {
      const client = new pg.Client({ connectionString: server.url, connectionTimeoutMillis: 10_000 });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query(text)).rows;
      } finally {
        await client.end();
      }
    };
    try {
      await ask('create table a (b int)');
      await ask('insert into a values (7)');
      await server.restart('kill9');
      expect(await ask('select b from a')).toEqual([{ b: 7 }]);
      server.pause();
      const late = ask('select b from a');
      await eventually(() => !hasProc || state(server.pid) === 'T');
      server.resume();
      expect(await late).toEqual([{ b: 7 }]);
      await server.restart();
      expect(await ask('select b from a')).toEqual([{ b: 7 }]);
    } finally {
      await server.stop();
    }
    expect(existsSync(folder)).toBe(false);
    expect(await refuses(server)).toBe(true);
  });
});
