/** What an existing client says about its servers, whatever its library. */
import type { AddressMap, RedisAddress, RedisLibrary, RedisPlace } from '../redis-connection.ts';

/** What an existing client says about its servers. */
export interface ExistingRedis {
  /** A URL with the secrets of the client, for `scrub`. */
  readonly url: string;
  readonly label: string;
  readonly place: RedisPlace;
  library(timeoutMs: number): RedisLibrary;
}

/** From the address that a server gives to the one at which it can be reached. */
export type NatMap = Readonly<Record<string, RedisAddress>> | ((key: string) => RedisAddress | null);

export const hostList = (addresses: readonly RedisAddress[]): string =>
  addresses.map(({ host, port }) => `${host}:${port}`).join(',');

export function mapperOf(natMap: NatMap | null | undefined): AddressMap | undefined {
  if (natMap === undefined || natMap === null) return undefined;
  return (address) => {
    const key = `${address.host}:${address.port}`;
    return (typeof natMap === 'function' ? natMap(key) : natMap[key]) ?? address;
  };
}

export function namesOf(
  scheme: string,
  hosts: string,
  path: string,
  { username, password }: { username?: string | null | undefined; password?: string | null | undefined },
): { url: string; label: string } {
  const [user, secret] = [username, password].map((text) => encodeURIComponent(text ?? ''));
  const login = user === '' && secret === '' ? '' : `${user}:${secret}@`;
  return { url: `${scheme}://${login}${hosts}${path}`, label: `${scheme}://${hosts}${path}` };
}
