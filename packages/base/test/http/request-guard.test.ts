import { describe, expect, it } from 'vitest';
import { loopbackHosts, refusalOf } from '../../src/http/request-guard.ts';

const read = (hosts: readonly string[], origin?: string) => ({
  method: 'GET',
  isApi: true,
  headers: { host: hosts[0], origin },
  headersDistinct: { host: [...hosts] },
});
const identity = (port: number) => ({ hosts: loopbackHosts(port), hasPages: true, token: 'x' });

describe('the Host of a request', () => {
  it.each(['127.0.0.1:4748', 'localhost:4748', 'LocalHost:4748'])('may be %s', (host) => {
    expect(refusalOf(read([host]), identity(4748))).toBeNull();
  });

  it.each(['127.0.0.1', 'localhost', 'evil.example:4748', 'localhost:80', ''])('must not be %j', (host) => {
    expect(refusalOf(read([host]), identity(4748))).toMatchObject({ status: 403 });
  });

  it('may leave out port 80, as clients do, and so may the Origin', () => {
    for (const host of ['127.0.0.1', 'localhost', 'localhost:80']) {
      expect(refusalOf(read([host]), identity(80)), host).toBeNull();
      expect(refusalOf(read([host], `http://${host}`), identity(80)), host).toBeNull();
    }
    expect(refusalOf(read(['evil.example']), identity(80))).toMatchObject({ status: 403 });
  });

  it.each([[['localhost:4748', 'evil.example']], [['localhost:4748', 'localhost:4748']]])(
    'must be given once: %j, also on a Unix-domain socket',
    (hosts) => {
      expect(refusalOf(read(hosts), identity(4748))).toMatchObject({ status: 403 });
      expect(refusalOf(read(hosts), { ...identity(4748), hosts: null })).toMatchObject({ status: 403 });
    },
  );
});
