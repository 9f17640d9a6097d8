/**
 * Asks the server to cancel the statement of another connection. A backend that waits for a lock does not notice that its client
 * has gone: it would wait on, and then run a statement whose answer nobody reads.
 */

/** The part of a client of `pg` that opens a connection for a request to cancel. */
export interface CancelConnection {
  readonly processID: number | null;
  /** With it, another connection may cancel the statement of this one. */
  readonly secretKey: number | null;
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
  readonly sslNegotiation: string;
  readonly connection: {
    readonly stream: { destroy(): void };
    connect(portOrPath: number | string, host?: string): void;
    on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): unknown;
    requestSsl(): void;
    cancel(processID: number, secretKey: number): void;
  };
}

const LONGEST_MS = 1_000;

/**
 * `fresh` is a connection to the same server that is not open yet. Resolves when the request was sent, or could not be. The
 * server gives no answer; a pooler may ignore the request.
 */
export function cancelStatement(
  fresh: CancelConnection,
  { processID, secretKey }: CancelConnection,
): Promise<void> {
  if (processID === null || secretKey === null) return Promise.resolve();
  return new Promise((resolve) => {
    const { connection, host, port, ssl, sslNegotiation } = fresh;
    const timer = setTimeout(() => end(), LONGEST_MS);
    const end = (): void => {
      clearTimeout(timer);
      connection.stream.destroy();
      resolve();
    };
    const send = (): void => connection.cancel(processID, secretKey);
    connection.on('error', end);
    connection.on('end', end);
    connection.on('sslconnect', send);
    connection.on('connect', () => {
      if (!ssl) send();
      else if (sslNegotiation !== 'direct') connection.requestSsl();
    });
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}
