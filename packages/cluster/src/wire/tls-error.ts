/** Why no TLS connection came about, in one line. */
import type { TLSSocket } from 'node:tls';

/** Null for an error of the network below TLS. */
export function tlsErrorText(error: Error, socket: Pick<TLSSocket, 'authorizationError'>): string | null {
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  const [text] = error.message.split('\n');
  if (code === 'ECONNRESET' || 'syscall' in error) {
    // A listener closes a connection whose certificate it refuses, and Node only tells that it was closed.
    const { authorizationError: verdict } = socket;
    return verdict ? `its certificate is refused: ${verdict}` : null;
  }
  if (typeof reason !== 'string') return `its certificate is refused: ${text}`;
  if (reason === 'wrong version number') {
    return 'the peer does not speak TLS, and this member does; give all members the same security';
  }
  return reason.includes('alert')
    ? `it refuses the certificate of this member: ${reason}`
    : `there is no TLS connection: ${reason}`;
}
