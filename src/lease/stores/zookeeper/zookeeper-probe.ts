/** What `doctor` reports of a ZooKeeper server. */
import type { Probe } from '../../lease-store.ts';
import type { ZookeeperSettings } from './zookeeper-settings.ts';

/** `status` is the answer to the command srvr; '' if the server does not allow it. */
export function probeZookeeper(
  { servers }: ZookeeperSettings,
  status: string,
  roundTripMs: number,
): Omit<Probe, 'clockOffsetMs'> {
  const version = /^Zookeeper version: ([\d.]+)/m.exec(status)?.[1] ?? '';
  const mode = /^Mode: (\S+)/m.exec(status)?.[1];
  const warnings = [
    ...(mode === 'standalone'
      ? ['the server is standalone: only three or more survive the loss of one']
      : []),
    ...(mode !== undefined && mode !== 'standalone' && servers.length === 1
      ? ['the URL names one of several servers; name all, so that the loss of one is survived']
      : []),
  ];
  return { server: `ZooKeeper ${version}`.trim(), roundTripMs, problems: [], warnings };
}
