/**
 * Detects file systems on which a lease file is not safe. The locks, the shared memory and the fsync of SQLite are sound only
 * if one kernel alone accesses the file. On a network file system two hosts could both be granted a lease.
 *
 * A FUSE mount can be anything: only the type for block devices is accepted. A file system of unknown type is accepted.
 */
import { readFileSync, statfsSync } from 'node:fs';

/** The magic numbers of statfs(2) on Linux. */
const SHARED: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB2',
  4283649346: 'CIFS',
  16914839: '9P',
  12805120: 'Ceph',
  198183888: 'Lustre',
  1196443219: 'GPFS',
  1397113167: 'AFS',
  1799439955: 'AFS',
  1937076805: 'Coda',
  1952539503: 'OCFS2',
  18225520: 'GFS2',
  428016422: 'BeeGFS',
  22092: 'NCP',
  2020557398: 'a shared folder of VirtualBox',
  3133910204: 'a shared folder of VMware',
};
const FUSE = 0x65735546;

/** The name of the shared file system of a folder; null if it is not known to be shared. */
export function sharedFileSystem(folder: string): string | null {
  try {
    return sharedKind(Number(statfsSync(folder, { bigint: true }).type & 0xffffffffn), () =>
      mountKind(folder),
    );
  } catch {
    return null;
  }
}

export function sharedKind(magic: number, mountedAs: () => string): string | null {
  if (magic !== FUSE) return SHARED[magic] ?? null;
  const kind = mountedAs();
  return kind === 'fuseblk' ? null : kind || 'FUSE';
}

/** The type of the mount of a folder: the longest mount point that contains it. */
export function mountKind(folder: string, mounts = readFileSync('/proc/self/mountinfo', 'utf8')): string {
  let best = { point: '', kind: '' };
  for (const line of mounts.split('\n')) {
    const [before, after] = line.split(' - ');
    if (after === undefined) continue;
    const point = before
      .split(' ')[4]
      .replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
    const leads = point === '/' || folder === point || folder.startsWith(`${point}/`);
    // The later of two mounts at one point is on top.
    if (leads && point.length >= best.point.length) best = { point, kind: after.split(' ')[0] };
  }
  return best.kind;
}
