/** The login of a new connection, from the function `credentials` of the program. */
import { firstLine } from '@hustings/base';
import { StoreError } from '../core/store-error.ts';
import type { Credentials } from '../lease-store.ts';

/**
 * A function that throws is asked again with the next call: a vault may be down for a while. A result that is no login is an
 * error of the program, and no message quotes it.
 */
export async function freshLogin(
  label: string,
  credentials: () => Credentials | Promise<Credentials>,
): Promise<Credentials> {
  let login: unknown;
  try {
    login = await credentials();
  } catch (error) {
    throw new StoreError('unreachable', `${label}: the function credentials failed: ${firstLine(error)}`);
  }
  if (isLogin(login)) return login;
  const what =
    typeof login === 'object' && login !== null
      ? `an object with ${Object.keys(login).join(', ') || 'nothing'}`
      : login === undefined || login === null
        ? String(login)
        : `a ${typeof login}`;
  throw new StoreError(
    'unusable',
    `${label}: the function credentials must return { username, password }, both strings, or { password }, not ${what}`,
  );
}

function isLogin(login: unknown): login is Credentials {
  if (typeof login !== 'object' || login === null) return false;
  const { username, password } = login as Partial<Record<keyof Credentials, unknown>>;
  return typeof password === 'string' && (username === undefined || typeof username === 'string');
}
