import { describe, expect, it } from 'vitest';
import { releaseOf } from './single-call.ts';
import { claimOf, LONG_MS, SHORT_MS, type Suite } from './suite.ts';

export function tokensContract(current: () => Suite): void {
  describe('tokens', () => {
    it('increase through release, expiry, proof of death and a new connection', async () => {
      const { store, name, open, win, release, untilFree } = current();
      const tokens = [
        await win(claimOf(name, 'a', { ttlMs: store.capabilities.expiry === 'clock' ? SHORT_MS : LONG_MS })),
      ];
      if (store.capabilities.expiry === 'clock') await untilFree();
      else await release(releaseOf(name, 'a', tokens[0]));
      tokens.push(await win(claimOf(name, 'a')));
      await release(releaseOf(name, 'a', tokens[1]));
      tokens.push(await win(claimOf(name, 'a')));
      tokens.push(await win(claimOf(name, 'b', { goneNonce: 'a-nonce' })));
      const reopened = await open();
      expect((await reopened.read([name]))[0]).toMatchObject({ token: tokens[3], holder: { id: 'b' } });
      tokens.push(await win(claimOf(name, 'c', { goneNonce: 'b-nonce' }), reopened));
      await reopened.close();
      expect(tokens).toEqual([...new Set(tokens)].sort((a, b) => (a < b ? -1 : 1)));
      expect((await store.history(name)).map(({ token }) => token)).toEqual(tokens.reverse());
    });

    it('are exact beyond 2^53', async () => {
      const { other, name, acquire, win, renew, release, read, setToken } = current();
      for (const start of [2n ** 53n + 1n, 2n ** 60n + 3n]) {
        await release(releaseOf(name, 'a', await win(claimOf(name, 'a'))));
        await setToken(name, start);
        expect((await read()).token).toBe(start);
        const token = await win(claimOf(name, 'a'));
        expect(token > start).toBe(true);
        // The store's clock is behind: the next one counts.
        expect(token).toBe(start + 1n);
        expect(await renew('a', token + 1n)).toEqual({ type: 'lost' });
        expect(await renew('a', token - 1n)).toEqual({ type: 'lost' });
        expect((await renew('a', token)).type).toBe('ok');
        expect(await acquire(claimOf(name, 'b'))).toMatchObject({ record: { token } });
        expect((await other.history(name))[0].token).toBe(token);
        await release(releaseOf(name, 'a', token));
      }
    });

    it("are not smaller than the store's wall clock in microseconds", async () => {
      const { store, other, name, win, release } = current();
      for (const via of [store, other]) {
        const clock = BigInt(Math.floor(await store.time())) * 1_000n;
        const token = await win(claimOf(name, 'a'), via);
        expect(token >= clock, `${token} at ${clock}`).toBe(true);
        await release(releaseOf(name, 'a', token));
      }
    });

    it('rise above the token that init is given, and init never lowers them', async () => {
      const { store, other, name, win, release } = current();
      const first = await win(claimOf(name, 'a'));
      await release(releaseOf(name, 'a', first));
      const tokenFrom = first + 1_000_000_000_000n;
      await store.init({ tokenFrom });
      await store.init({ tokenFrom: 5n });
      await other.init();
      const next = await win(claimOf(name, 'a'), other);
      expect(next > tokenFrom, `${next} after ${tokenFrom}`).toBe(true);
      expect((await win(claimOf(`${name}!`, 'a'), other)) > tokenFrom).toBe(true);
    });

    it('have one winner in each round of a race between connections', async () => {
      const { store, other, name, open, acquire } = current();
      const racers = [store, other, ...(await Promise.all([1, 2, 3, 4].map(() => open())))];
      const won: bigint[] = [];
      for (let round = 0; round < 12; round++) {
        const answers = await Promise.all(
          racers.map((racer, index) =>
            acquire(claimOf(name, `r${index}`, { nonce: `${round}/${index}` }), racer),
          ),
        );
        const winners = answers.flatMap((answer, index) =>
          answer.type === 'ok' ? [{ index, ...answer }] : [],
        );
        expect(winners).toHaveLength(1);
        const [{ index, token }] = winners;
        won.push(token);
        const [answer] = await racers[index].release([
          { ...releaseOf(name, '', token), nonce: `${round}/${index}` },
        ]);
        expect(answer.type).toBe('ok');
      }
      expect(won.every((token, index) => index === 0 || token > won[index - 1])).toBe(true);
      // What was granted is in the history, and nothing else is.
      expect((await other.history(name)).map(({ token }) => token)).toEqual(won.reverse());
      for (const racer of racers.slice(2)) await racer.close();
    });
  });
}
