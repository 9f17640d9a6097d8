import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hustings, temporaryFolder } from '../../../../../test-kit/command.ts';
import { openStore } from '../../../src/lease/index.ts';
import { claimOf } from '../../lease/contract/suite.ts';

const folder = temporaryFolder();
const run = (...args: string[]) => hustings(args, folder.path, { HUSTINGS_STORE: 'sqlite:./leases.db' });
const BOTH = ['stock', 'orders'];

it('lead with two names leads both elections, and tells the command the token of each', async () => {
  const print = 'console.log(process.env.HUSTINGS_NAME, process.env.HUSTINGS_TOKENS)';
  const { status, stdout, stderr } = run('lead', ...BOTH, '--', process.execPath, '-e', print);
  expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining('orders + stock') });
  const store = await openStore(`sqlite:${join(folder.path, 'leases.db')}`);
  const [orders, stock] = (await store.read(['orders', 'stock'])).map(({ token }) => String(token));
  expect(stdout).toBe(`orders ${JSON.stringify({ orders, stock })}\n`);
  // All or none.
  const [{ type }] = await store.acquire([claimOf('stock', 'other')]);
  expect(type).toBe('ok');
  expect(run('lead', ...BOTH, '--wait', '0s', '--', 'true').status).toBe(75);
  expect((await store.history('orders')).length).toBe(1);
  await store.close();
});

it('lead refuses a name twice, and fair order with several names or with slots', () => {
  const refused = (...args: string[]): string => {
    const { status, stderr } = run('lead', ...args, '--', 'true');
    expect(status).toBe(2);
    return stderr;
  };
  expect(refused('a', 'a')).toContain("names has 'a' twice; remove one");
  expect(refused(...BOTH, '--order', 'fair')).toContain(
    "order 'fair' needs one lease, and 2 names have one each",
  );
  expect(refused('a', '--slots', '3', '--order', 'fair')).toContain(
    "order 'fair' needs one lease, and 3 slots have one each",
  );
  expect(refused(...BOTH, '--slots', '2')).toContain('names exclude slots; leave one of them out');
});
