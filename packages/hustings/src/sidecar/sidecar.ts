/**
 * Elections for a service in any language, over HTTP on loopback or on a Unix-domain socket.
 *
 * Guaranteed: only requests with the token change anything (sidecar-api.ts); a lease is renewed only while its service shows
 * life (campaign.ts); after `close` no connection, candidate or port is left.
 */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '@hustings/base';
import {
  ConnectionLimit,
  closeServer,
  LOOPBACK,
  listenOnLoopback,
  listenOnSocket,
  loopbackHosts,
} from '@hustings/base/http';
import type { LogEntry } from '../elector/events/elector-logger.ts';
import type { LeaderMetadata } from '../lease/core/term-data.ts';
import type { TimingOptions } from '../lease/core/timing.ts';
import type { FenceKey } from '../lease/fence/fence-key.ts';
import type { Campaign } from './campaign.ts';
import { type HookOptions, Hooks } from './hooks.ts';
import { PodLabel, type PodLabelOptions } from './pod-label.ts';
import { ServedElection } from './served-election.ts';
import { SidecarApi } from './sidecar-api.ts';

export interface SidecarOptions {
  readonly storeUrl: string;
  readonly names: readonly string[];
  /** A port of 127.0.0.1, 0 for any; or the path of a Unix-domain socket. */
  readonly place: { readonly port: number } | { readonly socket: string };
  readonly token: string;
  readonly id?: string | undefined;
  readonly priority?: number | undefined;
  /** What others see of this leader, such as the address of its service. */
  readonly metadata?: LeaderMetadata | undefined;
  readonly timing?: Pick<TimingOptions, 'ttlMs' | 'preset'> | undefined;
  /** How long services may take to stop their work after `close`. */
  readonly stopGraceMs: number;
  readonly fenceKey?: FenceKey | undefined;
  readonly hooks?: Omit<HookOptions, 'warn'> | undefined;
  readonly podLabel?: Omit<PodLabelOptions, 'warn'> | undefined;
  readonly log: (entry: Pick<LogEntry, 'level' | 'message'> & { readonly fields?: object }) => void;
}

export interface Sidecar {
  /** The address, such as http://127.0.0.1:4748/; with a socket http://localhost/. */
  readonly url: string;
  readonly port: number | null;
  /** Tells the services to stop, waits for them at most for the grace period, and ends. */
  close(): Promise<void>;
}

const MIN_TOKEN = 16;
/** Connections that have not shown the token, and all connections beside one stream for each election. */
const MAX_STRANGERS = 64;
const MAX_CONNECTIONS = 512;
/** A request must arrive in this time. */
const LIMITS = {
  requestTimeout: 5_000,
  headersTimeout: 3_000,
  connectionsCheckingInterval: 500,
  keepAliveTimeout: 60_000,
  maxHeaderSize: 8_192,
};

/** How often a sidecar that stops looks whether the services have stopped. */
const LOOK_EVERY_MS = 20;

/** Starts the sidecar. Throws an `InputError` for options that cannot work, and a `ListenError` if the place is in use. */
export async function startSidecar(options: SidecarOptions): Promise<Sidecar> {
  const { names, token, place, log, stopGraceMs } = options;
  if (!/^[\x21-\x7e]*$/.test(token) || token.length < MIN_TOKEN) {
    throw new InputError(
      `the token must have at least ${MIN_TOKEN} printable ASCII characters without spaces, not ${token.length}`,
    );
  }
  if (names.length === 0) throw new InputError('an election is required');
  if (new Set(names).size < names.length) throw new InputError('each election must have a name of its own');
  if (options.podLabel !== undefined && names.length > 1) {
    throw new InputError('a label of the pod needs exactly one election; start one sidecar for each');
  }
  const warn = (message: string): void => log({ level: 'warn', message: `hustings: ${message}` });
  const label = options.podLabel === undefined ? null : new PodLabel({ ...options.podLabel, warn });
  const hooks: Hooks[] = [];
  const elections = names.map((name) => {
    const own = options.hooks === undefined ? [] : [new Hooks({ ...options.hooks, warn })];
    hooks.push(...own);
    return new ServedElection(
      {
        ...{ ...options.timing, store: options.storeUrl, name, id: options.id, priority: options.priority },
        ...{
          metadata: options.metadata,
          fenceKey: options.fenceKey,
          stopGraceMs: Math.max(1, stopGraceMs),
        },
      },
      log,
      label === null ? own : [...own, label],
    );
  });
  const server = createServer(LIMITS);
  const limit = new ConnectionLimit(server, MAX_STRANGERS, MAX_CONNECTIONS + names.length);
  const port = 'port' in place ? await listenOnLoopback(server, place.port) : null;
  const removeSocket = 'socket' in place ? await listenOnSocket(server, place.socket) : null;
  const identity = { hosts: port === null ? null : loopbackHosts(port), hasPages: false, token };
  const api = new SidecarApi(elections, identity, (socket) => limit.trust(socket));
  server.on('request', (request, response) => void api.answer(request, response));
  server.on('upgrade', (_request, socket) =>
    socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n'),
  );
  label?.start();
  const close = async (): Promise<void> => {
    api.isStopping = true;
    await stopServices(elections, stopGraceMs);
    await Promise.all([label?.close(stopGraceMs), ...hooks.map((each) => each.idle())]);
    removeSocket?.();
    await closeServer(server, async () => api.endStreams());
  };
  return { url: port === null ? 'http://localhost/' : `http://${LOOPBACK}:${port}/`, port, close };
}

/** The lease of a service that does not report in time is not released: it runs out. */
async function stopServices(elections: readonly ServedElection[], stopGraceMs: number): Promise<void> {
  const campaigns = elections.flatMap(({ open }) => open);
  for (const campaign of campaigns) campaign.stop();
  const endMs = performance.now() + stopGraceMs;
  // A service that was told to stop need not report progress until it releases.
  const isAwaited = ({ isUnderWay, state }: Campaign): boolean => isUnderWay || state === 'stopping';
  while (campaigns.some(isAwaited) && performance.now() < endMs) await sleep(LOOK_EVERY_MS);
  // Electors with a lead that runs out would take a TTL to close: nothing of theirs keeps the process alive.
  await Promise.all(elections.map(({ elector, open }) => (open.length === 0 ? elector.close() : undefined)));
}
