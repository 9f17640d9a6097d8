/** Fifty members on this machine: the time of the first election, then what each one costs while nothing happens. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalCluster, LocalClusterOptions } from '@hustings/cluster/internal/cli/local-cluster';
import type { NodeLine } from '@hustings/cluster/internal/cli/node-line';
import { askJson } from './cluster-under-test.ts';

export interface ScaleFigures {
  readonly algorithm: string;
  readonly members: number;
  /** Seconds from the first process until the last one is up. */
  readonly upAfter: number;
  /** Seconds from the last one being up until all agree; null if they do not in time. */
  readonly electedAfter: number | null;
  /** Per member and second, while nothing happens. */
  readonly idle: {
    readonly frames: number;
    readonly bytes: number;
    /** Processor time as a share of one core. */
    readonly cpu: number;
  };
  /** Proportional share of the memory of the machine. */
  readonly bytesPerMember: number;
  readonly suspicions: number;
}

/** The files of the built package, because its processes are measured. */
export interface Programs {
  readonly hustings: string;
  readonly localCluster: typeof LocalCluster;
}

const LIMIT_MS = 60_000;
const TICKS_PER_SECOND = 100;

interface Sample {
  readonly frames: number;
  readonly bytes: number;
  readonly cpuSeconds: number;
}

export async function measureScale(
  { hustings, localCluster }: Programs,
  algorithm: string,
  members: number,
  idleMs: number,
): Promise<ScaleFigures> {
  const urls: string[] = [];
  let suspicions = 0;
  let lastUpMs = 0;
  let agreedMs: number | null = null;
  const onLine: LocalClusterOptions['onLine'] = (line: NodeLine) => {
    if (line.type === 'up') {
      urls.push(String(line.url));
      lastUpMs = Math.max(lastUpMs, line.at);
    }
    if (line.type === 'suspicion' && line.suspected === true) suspicions++;
    if (line.type === 'agreed') agreedMs ??= line.at;
  };
  const beganMs = Date.now();
  const args = ['--algorithm', algorithm, '--http', '0'];
  const cluster = await localCluster.start({ nodes: members, program: hustings, args, onLine });
  try {
    const giveUpAt = performance.now() + LIMIT_MS;
    while (agreedMs === null && performance.now() < giveUpAt) await sleep(10);
    // What the start has left to do.
    await sleep(Math.min(idleMs, 5_000));
    const pids = cluster.members.flatMap(({ line }) => (line === null ? [] : [line.pid]));
    const before = await sample(urls, pids);
    const from = performance.now();
    await sleep(idleMs);
    const after = await sample(urls, pids);
    const seconds = (performance.now() - from) / 1_000;
    const rate = (key: keyof Sample): number => (after[key] - before[key]) / members / seconds;
    return {
      algorithm,
      members,
      upAfter: (lastUpMs - beganMs) / 1_000,
      electedAfter: agreedMs === null ? null : Math.max(0, agreedMs - lastUpMs) / 1_000,
      idle: { frames: rate('frames'), bytes: rate('bytes'), cpu: rate('cpuSeconds') },
      bytesPerMember: pids.map(memoryOf).reduce((sum, bytes) => sum + bytes, 0) / members,
      suspicions,
    };
  } finally {
    await cluster.close();
  }
}

/** Samples all members together. */
async function sample(urls: readonly string[], pids: readonly number[]): Promise<Sample> {
  let [frames, bytes] = [0, 0];
  for (const url of urls) {
    const { traffic } = await askJson<{ traffic: { framesSent: number; bytesSent: number } }>(
      Number(new URL(url).port),
      'GET',
      '/status',
      undefined,
      LIMIT_MS,
    );
    frames += traffic.framesSent;
    bytes += traffic.bytesSent;
  }
  return { frames, bytes, cpuSeconds: pids.map(cpuOf).reduce((sum, seconds) => sum + seconds, 0) };
}

/** User and system time of a process in seconds; the name, in brackets, may contain spaces. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function memoryOf(pid: number): number {
  const [, kilobytes = '0'] =
    /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}
