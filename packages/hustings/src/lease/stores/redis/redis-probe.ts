/** Examines a Redis server: its version, its persistence and the permissions of the user. */
import type { Probe } from '../../lease-store.ts';
import type { RedisServerConnection } from './redis-connection.ts';
import { parseInfo } from './redis-session.ts';
import { TRY_RIGHTS } from './redis-store-scripts.ts';

const ALL_KEYS = /^allkeys-/;

export async function probeRedis(
  redis: RedisServerConnection,
  prefix: string,
  waitReplicas: number,
): Promise<Probe> {
  const info = parseInfo(String(await redis.call('INFO').catch(() => '')));
  const setting = async (name: string): Promise<string | undefined> =>
    redis.call('CONFIG', 'GET', name).then(
      (answer) => (answer as string[])[1] ?? '',
      () => undefined,
    );
  const key = `${prefix}probe`;
  // The first run of a script includes its compilation.
  await redis.eval(TRY_RIGHTS.source, 1, key, key);
  const sentMs = Date.now();
  const startMs = performance.now();
  const [nowMs, cannotPublish] = (await redis.eval(TRY_RIGHTS.source, 1, key, key)) as [string, string];
  const roundTripMs = performance.now() - startMs;
  const [saves, appendfsync, minReplicas] = [
    await setting('save'),
    await setting('appendfsync'),
    await setting('min-replicas-to-write'),
  ];
  const replicas = Number(info.get('connected_slaves') ?? 0);
  const problems: string[] = [];
  const warnings: string[] = [];
  if (ALL_KEYS.test(info.get('maxmemory_policy') ?? '') && info.get('maxmemory') !== '0') {
    problems.push(
      `The server evicts any key when its memory is full (maxmemory-policy ${info.get('maxmemory_policy')}), ` +
        'also leases: set maxmemory-policy to noeviction or to a policy volatile-….',
    );
  }
  if (replicas < waitReplicas) {
    problems.push(
      `${waitReplicas} replicas must confirm each write, but ${replicas} are connected, so nobody can lead: ` +
        'connect more replicas, or lower waitReplicas.',
    );
  }
  if (info.size === 0) {
    warnings.push(
      'The user may not run INFO, so a server that restarted with an old snapshot, or a replica that took over, cannot be ' +
        'told from one that kept running: it may grant a lease whose holder still works. Only a server that lost all its ' +
        'keys is recognized: run ACL SETUSER … +info.',
    );
  } else if (info.get('aof_enabled') !== '1') {
    const kept =
      saves === undefined ? '' : saves === '' ? ' Snapshots are off too.' : ' Snapshots are minutes old.';
    warnings.push(
      `The server forgets leases in a crash, because appendonly is off.${kept} After a restart it grants no lease for one ` +
        'ttl, so that the old leader has stopped. The history is lost.',
    );
  } else if (appendfsync !== 'always') {
    warnings.push(
      'A crash may lose the last seconds of acknowledged writes: appendfsync is not always, or may not be read ' +
        '(+config|get). After a restart the server grants no lease for one ttl that was not renewed since.',
    );
  }
  if (replicas > 0 && waitReplicas === 0 && !(Number(minReplicas) > 0)) {
    const unread = minReplicas === undefined ? ' (which may not be read here: +config|get)' : '';
    warnings.push(
      'After a failover, for example by Sentinel, the new primary waits for one ttl. But an old primary that a partition ' +
        'cuts off from its replicas keeps renewing, and two leaders work. Set waitReplicas, or set ' +
        `min-replicas-to-write on the server${unread} and min-replicas-max-lag well below the ttl.`,
    );
  }
  if (cannotPublish !== '') {
    warnings.push(
      'The user may not publish on channels of the prefix, so waiting candidates are not notified of a release and ask more often: ' +
        `run ACL SETUSER … &${prefix}* +publish +subscribe.`,
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
