import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandsTogether, startHustings, temporaryFolder } from '../../../../../test-kit/command.ts';

const folder = temporaryFolder();

const waitFor = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('hustings lab', () => {
  it('prints its address as JSON, serves the page, and ends with 0 on Ctrl-C', async () => {
    const lab = startHustings(['lab', '--port', '0', '--json'], folder.path);
    await waitFor(() => lab.lines().length > 0);
    const { url } = JSON.parse(lab.lines()[0]);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('<title>hustings</title>'),
    ]);
    const session = (await (await fetch(`${url}api/session`)).json()) as { apis: string[] };
    expect(session.apis).toEqual(['leases']);
    lab.end('SIGINT');
    expect(await lab.ended).toMatchObject({ status: 0, stderr: '' });
    await expect(fetch(url)).rejects.toThrow();
  });

  it('takes the next port if the first is in use, and says so', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) =>
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as AddressInfo).port)),
    );
    const lab = startHustings(['lab', '--port', String(port)], folder.path);
    await waitFor(() => lab.lines().length > 0 && lab.errors().endsWith('\n'));
    const [, at] =
      /^The lab is at http:\/\/127\.0\.0\.1:(\d+)\/ \(Ctrl-C stops it\)$/.exec(lab.lines()[0]) ?? [];
    expect(Number(at)).toBeGreaterThan(port);
    expect(lab.errors()).toBe(`hustings: port ${port} is in use; the lab is at ${at}\n`);
    lab.end('SIGTERM');
    expect((await lab.ended).status).toBe(0);
    taken.close();
  });

  const refusals: readonly (readonly [readonly string[], string | RegExp])[] = [
    [['--port', 'x'], "hustings: --port must be a whole number from 0 to 65535, not 'x'\n"],
    [['--port', '70000'], 'hustings: --port must be a whole number from 0 to 65535, not 70000\n'],
    [['--store', 'redis://:secret@localhost'], /^hustings: --store must not contain a password/],
    [['--store', 'memory:x'], /^hustings: the memory store is not shared with other processes/],
    [
      ['--cluster', 'members.json', '--recording', 'recordings'],
      'hustings: --cluster and --recording exclude each other\n',
    ],
    [
      ['--cluster', 'members.json'],
      'hustings: members.json has no http addresses: add "http": "127.0.0.1:17001" to each member, and start the members again\n',
    ],
    [['--cluster', 'absent.json'], /^hustings: --cluster must .*absent\.json/],
    [
      ['--cluster', 'other.json'],
      /^hustings: --cluster must be a member file, and other\.json is not: .* object, not 3\n$/,
    ],
    [
      ['--recording', 'empty'],
      "hustings: --recording must be a folder with recordings, files such as 3.trace; 'empty' has none\n",
    ],
    [['--recording', 'absent'], /^hustings: --recording must be a folder with recordings/],
  ];
  const refused = commandsTogether(
    refusals.map(([flags]) => ['lab', ...flags]),
    folder,
  );
  beforeAll(() => {
    const members = [1, 2].map((id) => ({ id, address: `127.0.0.1:${7_000 + id}` }));
    const write = (file: string, value: unknown): void =>
      writeFileSync(join(folder.path, file), JSON.stringify(value));
    write('members.json', { cluster: 'demo', version: 1, members });
    write('other.json', 3);
    mkdirSync(join(folder.path, 'empty'));
    write('empty/notes.txt', 'not a recording');
  });

  it.each(refusals)('refuses %j', (flags, text) => {
    const { status, stderr } = refused(['lab', ...flags]);
    expect(status).toBe(2);
    expect(stderr).toMatch(text);
  });
});
