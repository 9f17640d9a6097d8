/** A socket to the address of a member, which connects. */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { parseAddress } from '../member-list/address.ts';
import { tlsOptions } from './listener.ts';
import type { WirePolicy } from './policy.ts';
import type { ClusterSecurity } from './security.ts';

/** `raw` is the TCP socket below TLS, or the socket itself. `ready` is the event after which it can be used. */
export function dialledSocket(
  address: string,
  security: ClusterSecurity,
  policy: WirePolicy,
): { readonly socket: Socket; readonly raw: Socket; readonly ready: 'connect' | 'secureConnect' } {
  const raw = connect(parseAddress(address));
  if (security.type !== 'tls') return { socket: raw, raw, ready: 'connect' };
  // The identity is the URI in the certificate, which the session checks: not the name of the host.
  const options = { ...tlsOptions(security, policy), socket: raw, checkServerIdentity: () => undefined };
  return { socket: connectTls(options), raw, ready: 'secureConnect' };
}
