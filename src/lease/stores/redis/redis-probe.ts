/** One look at a Redis server: what it is, what it forgets, and what the user may do there. */
import type { Redis } from 'ioredis';
import type { Probe } from '../../lease-store.ts';
import { lookAt } from './redis-connection.ts';
import { TRY_RIGHTS } from './redis-scripts.ts';

const ALL_KEYS = /^allkeys-/;

export async function probeRedis(redis: Redis, prefix: string, waitReplicas: number): Promise<Probe> {
  const { info, isDurable } = await lookAt(redis);
  const key = `${prefix}probe`;
  // The first run of a script pays for its compilation.
  await redis.eval(TRY_RIGHTS.source, 1, key, key);
  const sentMs = Date.now();
  const startMs = performance.now();
  const [nowMs, cannotPublish] = (await redis.eval(TRY_RIGHTS.source, 1, key, key)) as [string, string];
  const roundTripMs = performance.now() - startMs;
  const [saves, cannotSave] = await redis.config('GET', 'save').then(
    (answer) => [(answer as string[])[1] ?? '', false] as const,
    () => ['', true] as const,
  );
  const replicas = Number(info.get('connected_slaves') ?? 0);
  const problems: string[] = [];
  const warnings: string[] = [];
  if (info.get('role') === 'slave') {
    problems.push('This server is a replica: what it is told is not kept. Name the primary in the URL.');
  }
  if (info.get('redis_mode') === 'cluster') {
    problems.push(
      'This server is part of a cluster, which this store does not follow. Name a single server.',
    );
  }
  if (ALL_KEYS.test(info.get('maxmemory_policy') ?? '') && info.get('maxmemory') !== '0') {
    problems.push(
      `The server throws away any key when its memory is full (maxmemory-policy ${info.get('maxmemory_policy')}), ` +
        'leases as well: set maxmemory-policy to noeviction or one of volatile-….',
    );
  }
  if (replicas < waitReplicas) {
    problems.push(
      `${waitReplicas} replicas must confirm each change, and ${replicas} are connected: nobody can lead. ` +
        'Connect more, or ask for fewer.',
    );
  }
  if (info.size === 0) {
    warnings.push(
      'The user may not run INFO: a restart of the server goes unnoticed, and one that has forgotten its leases ' +
        'grants them again at once. Allow it: ACL SETUSER … +info.',
    );
  } else if (info.get('aof_enabled') !== '1') {
    const kept = cannotSave ? '' : saves === '' ? ' Snapshots are off, too.' : ' Snapshots are minutes old.';
    warnings.push(
      `The server forgets leases when it crashes: appendonly is off.${kept} After a restart nobody gets a new lease ` +
        'for one ttl, so that the old leader has stopped; the history is lost.',
    );
  } else if (!isDurable) {
    warnings.push(
      'A crash may cost the last second or two of what was answered: appendfsync is not always, or may not be read ' +
        '(+config|get). After a restart nobody gets a new lease for one ttl.',
    );
  }
  if (replicas > 0 && waitReplicas === 0) {
    warnings.push('A failover to a replica may forget the latest leases: ask for waitReplicas.');
  }
  if (cannotPublish !== '') {
    warnings.push(
      `The user may not publish on channels of the prefix, so that nobody hears of a release at once: ` +
        `ACL SETUSER … &${prefix}* +publish +subscribe.`,
    );
  }
  return {
    server: `${serverName(info)} ${info.get('valkey_version') ?? info.get('redis_version') ?? ''}`.trim(),
    roundTripMs,
    clockOffsetMs: Math.round(Number(nowMs) - (sentMs + roundTripMs / 2)),
    problems,
    warnings,
  };
}

const serverName = (info: ReadonlyMap<string, string>): string =>
  info.has('valkey_version') ? 'Valkey' : 'Redis';
