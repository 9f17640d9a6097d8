import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { buildBefore, hustings, startHustings, temporaryFolder } from '../command.ts';

buildBefore();
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

  it.each([
    [['--port', 'x'], "hustings: --port must be a whole number from 0 to 65535, not 'x'\n"],
    [['--port', '70000'], 'hustings: --port must be a whole number from 0 to 65535, not 70000\n'],
    [['--store', 'redis://:secret@localhost'], /^hustings: --store must not contain a password/],
    [['--store', 'memory:x'], /^hustings: the memory store is not shared with other processes/],
  ])('refuses %j', (flags, text) => {
    const { status, stderr } = hustings(['lab', ...flags], folder.path);
    expect(status).toBe(2);
    expect(stderr).toMatch(text);
  });
});
