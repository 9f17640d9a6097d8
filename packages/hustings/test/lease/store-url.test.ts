import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../study/src/kernel/errors.ts';
import { defaultStoreUrl } from '../../src/lease/default-store.ts';
import { openStore } from '../../src/lease/open-store.ts';
import { hasPassword, scrub } from '../../src/lease/store-url.ts';
import { parseStoreUrl, redact } from '../../src/lease/stores/registry.ts';

describe('the URL of a store', () => {
  it.each([
    ['memory:', 'memory', ''],
    ['memory:tests', 'memory', 'tests'],
    ['sqlite:leases.db', 'sqlite', 'leases.db'],
    ['sqlite:./a b/leases.db', 'sqlite', './a b/leases.db'],
    ['sqlite:../leases.db', 'sqlite', '../leases.db'],
    ['sqlite:/var/lib/leases.db', 'sqlite', '/var/lib/leases.db'],
    ['sqlite:///var/lib/leases.db', 'sqlite', '/var/lib/leases.db'],
    ['SQLite:leases.db', 'sqlite', 'leases.db'],
    ['sqlite:100%25.db', 'sqlite', '100%25.db'],
    ['redis://localhost', 'redis', ''],
    ['rediss://h:1/3', 'redis', ''],
    ['postgres://h/db', 'postgres', ''],
    ['postgres://bob:a,b@h/db,c?x=1,2', 'postgres', ''],
    ['postgresql://h/db', 'postgres', ''],
    ['postgres://bob:a,b@h1:1,h2:2/db', 'postgres', ''],
    ['redis+sentinel://h1,h2:1/group/2', 'redis', ''],
    ['rediss+cluster://h1,h2:1', 'redis', ''],
    ['postgres://user@/db?host=/run/postgresql', 'postgres', ''],
  ])('%s is understood', (text, kind, path) =>
    expect(parseStoreUrl(text)).toMatchObject({ store: { kind }, path }),
  );

  it.each([
    ['', 'must not be empty'],
    ['   ', 'must not be empty'],
    ['leases.db', 'must begin with a scheme'],
    ['mongodb://h/db', 'the scheme "mongodb:"'],
    ['constructor://h', 'the scheme "constructor:"'],
    ['sqlite:', 'must not be empty'],
    ['sqlite://', 'two slashes'],
    ['sqlite://leases.db', 'two slashes'],
    ['sqlite::memory:', 'memory:NAME'],
    ['sqlite:leases.db?mode=ro', 'must not have a query'],
    ['sqlite:a\0b', 'NUL'],
    ['sqlite:/var/lib/', 'not a folder'],
    ['redis:localhost', 'must have "//"'],
    ['redis://[::1', 'cannot be parsed'],
    ['redis://bob:12/3@h', 'a stray @'],
    ['redis://bob:12?3@h', 'a stray @'],
    ['redis://bob:12#3@h', 'a stray @'],
    ['postgres://h:notaport/db', 'cannot be parsed'],
    ['redis://h1:1,h2:2', 'must name one server, not 2; give the address of the primary'],
    ['redis://bob:a,b@h1,h2,h3', 'must name one server, not 3'],
    ['postgres://h1:1,,h2/db', 'an empty host'],
    ['postgres://h1:1,h2:x/db', 'cannot be parsed'],
  ])('%j is refused, and the refusal says why', async (text, why) => {
    expect(() => parseStoreUrl(text)).toThrow(InputError);
    expect(() => parseStoreUrl(text)).toThrow(why);
    await expect(openStore(text)).rejects.toThrow(InputError);
  });

  it('must be a text', () => expect(() => parseStoreUrl(undefined)).toThrow('not undefined'));

  it.each([
    ['redis://bob:s3cr3t@h:6379/2', 'redis://h:6379/2'],
    ['postgres://bob:s3cr3t@h:5432/db?sslmode=require&password=s3cr3t', 'postgres://h:5432/db'],
    ['postgresql://bob:s3%40cr3t@h/db', 'postgresql://h/db'],
    ['sqlite:./leases.db', 'sqlite:./leases.db'],
    ['redis://bob:s3/cr3t@h', 'redis:…'],
    ['redis://bob:s3#cr3t@h', 'redis:…'],
    ['mongodb://bob:s3cr3t@h/db', 'mongodb:…'],
    ['bob:s3cr3t@h', 'bob:…'],
    ['bob-s3cr3t', '…'],
  ])('%s is shown without user, password and query', (text, shown) => {
    expect(redact(text)).toBe(shown);
    let message = '';
    try {
      parseStoreUrl(text);
    } catch (error) {
      message = String(error) + JSON.stringify(error);
    }
    expect(message).not.toMatch(/cr3t/);
  });

  it('is removed from the text of a client library, with its secrets in every spelling', () => {
    const scrubbed = (text: string, secret: string) => scrub(text, secret, redact(secret));
    const url = 'postgres://bob%40corp:p%40ss%20w0rd@h/db?sslmode=require&sslpassword=k3y%21';
    const said = [
      `connect ${url} failed`,
      'password authentication failed for user "bob@corp"',
      'auth p@ss w0rd / p%40ss%20w0rd rejected',
      'key k3y! k3y%21 unusable; sslmode require',
    ].map((text) => scrubbed(text, url));
    expect(said).toEqual([
      'connect postgres://h/db failed',
      'password authentication failed for user "***"',
      'auth *** / *** rejected',
      'key *** *** unusable; sslmode require',
    ]);
    expect(scrubbed('user bob, pw a"b', 'redis://bob:a%22b@h')).toBe('user ***, pw ***');
    expect(scrubbed('a cab at a', 'redis://:a@h')).toBe('*** cab at ***');
    expect(scrubbed('nothing to hide', 'redis://h')).toBe('nothing to hide');
    expect(scrubbed('pw x/y#z', 'redis://bob:x/y#z@h')).toBe('pw ***');
  });
});

describe('a password in a URL', () => {
  it.each(['redis://:pw@h', 'rediss://u:p%40w@h:1/2', 'postgres://u:a@b@h/d', 'postgres://h/d?password=x'])(
    'is detected in %s',
    (url) => expect(hasPassword(url)).toBe(true),
  );

  it.each([
    'redis://h:6379',
    'redis://u@h',
    'redis://u:@h',
    'postgres://h:5432/d?options=a@b',
    'sqlite:./a:b@c',
  ])('is not detected in %s', (url) => expect(hasPassword(url)).toBe(false));
});

describe('opening a store', () => {
  it('by URL returns the named store', async () => {
    const store = await openStore('memory:by url');
    expect(store.label).toBe('memory:by url');
    await store.close();
  });

  it.each([0, -1, 1.5, Number.NaN])('with keepTerms %d is refused', async (keepTerms) => {
    await expect(openStore('memory:', { keepTerms })).rejects.toThrow('keepTerms');
  });

  it('without a URL uses a file of this user', () => {
    expect(defaultStoreUrl({ XDG_STATE_HOME: '/state' })).toBe('sqlite:/state/hustings/leases.db');
    const fallback = `sqlite:${homedir()}/.local/state/hustings/leases.db`;
    expect(defaultStoreUrl({})).toBe(fallback);
    expect(defaultStoreUrl({ XDG_STATE_HOME: '' })).toBe(fallback);
    expect(defaultStoreUrl({ XDG_STATE_HOME: 'relative' })).toBe(fallback);
  });
});
