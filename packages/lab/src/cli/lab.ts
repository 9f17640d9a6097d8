/** `hustings lab`: serves the lab, where elections are watched, broken, checked and written in a browser. */
import { spawn } from 'node:child_process';
import { InputError, mapDefined } from '@hustings/base';
import { formatJsonLine } from '@hustings/base/command/json';
import { readPort } from '@hustings/base/command/port';
import { untilStopped } from '@hustings/base/command/stop-signal';
import type { MemberList } from '@hustings/cluster';
import { readMemberFile } from '@hustings/cluster/internal/cli/node-flags';
import { checkRecordings, readRecordings } from '@hustings/cluster/internal/cli/replay-folder';
import type { Command } from 'commander';
import { sharedStoreUrlOf } from 'hustings/internal/cli/flags/store-flag';
import { sharedStoreForms } from 'hustings/internal/lease/stores/registry';
import { ClusterApi } from '../server/cluster-api.ts';
import type { LabApi } from '../server/lab-api.ts';
import { startLabServer } from '../server/lab-server.ts';
import { LeaseApi } from '../server/lease-api.ts';
import { RecordingApi, type RecordingTexts } from '../server/recording-api.ts';

interface LabFlags {
  readonly port?: string;
  readonly store?: string;
  readonly cluster?: string;
  readonly recording?: string;
  readonly open?: true;
  readonly json?: true;
}

const DEFAULT_PORT = 4747;

export function addLab(program: Command): void {
  program
    .command('lab')
    .description(
      'Serves the lab on this machine until Ctrl-C, and prints its address. Only this machine can reach it.\n' +
        'The page Leases shows a demo, or the elections of your own store, where you can evict leaders.\n' +
        'Exit codes: 0 stopped; 2 bad input; 3 no port is free.',
    )
    .option('--port <N>', `port; the next free one if it is in use, any with 0 (default: ${DEFAULT_PORT})`)
    .option(
      '--store <URL>',
      `store that the page Leases shows: ${sharedStoreForms()} (default: $HUSTINGS_STORE, or a demo)`,
    )
    .option('--cluster <FILE>', 'member file of a running cluster, which the page Cluster shows live')
    .option('--recording <DIR>', 'folder with the recordings of a cluster, which the page Cluster replays')
    .option('--open', 'open the lab in the browser')
    .option('--json', 'print {"url": …} as the first line')
    .addHelpText(
      'after',
      '\nExamples:\n  hustings lab\n  hustings lab --open\n  hustings lab --store redis://localhost:6379\n  hustings lab --cluster cluster/members.json\n  hustings lab --recording recordings\n  hustings lab --port 0 --json',
    )
    .action(labCommand);
}

async function labCommand(flags: LabFlags): Promise<void> {
  const port = mapDefined(flags.port, readPort) ?? DEFAULT_PORT;
  const hasStore = flags.store !== undefined || Boolean(process.env.HUSTINGS_STORE);
  const cluster = clusterApis(flags);
  if (flags.recording !== undefined) await checkRecordings(flags.recording, '--recording');
  const leases = new LeaseApi({ storeUrl: hasStore ? sharedStoreUrlOf(flags.store) : null });
  // Ctrl-C is how a server ends: no failure.
  await untilStopped(async (stopped) => {
    const server = await startLabServer({ port, apis: { leases, ...cluster } });
    const url = `${server.url}${Object.keys(cluster).length > 0 ? '#/cluster' : ''}`;
    if (port !== 0 && server.port !== port) {
      console.error(`hustings: port ${port} is in use; the lab is at ${server.port}`);
    }
    console.log(flags.json ? formatJsonLine({ url }) : `The lab is at ${url} (Ctrl-C stops it)`);
    if (flags.open) openBrowser(url);
    await stopped;
    await server.close();
  });
}

/** What the page Cluster shows; nothing without a flag. */
function clusterApis({ cluster: file, recording }: LabFlags): Record<string, LabApi> {
  if (file !== undefined && recording !== undefined) {
    throw new InputError('--cluster and --recording exclude each other');
  }
  if (file !== undefined) {
    const readFile = (): MemberList => {
      const list = readMemberFile('--cluster', file);
      if (list.members.some(({ http }) => http !== undefined)) return list;
      throw new InputError(
        `${file} has no http addresses: add "http": "127.0.0.1:17001" to each member, and start the members again`,
      );
    };
    return { cluster: new ClusterApi(readFile) };
  }
  if (recording === undefined) return {};
  const read = (): RecordingTexts => ({ folder: recording, texts: readRecordings(recording, '--recording') });
  return { recording: new RecordingApi(read) };
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

function openBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', () => console.error(`hustings: no browser can be opened; open ${url}`));
  child.unref();
}
