/** `hustings serve`: elections over HTTP for a service in any language, beside it on the same host. */
import { hostname } from 'node:os';
import { InputError, mapDefined, parseNumber } from '@hustings/base';
import { pageUrl } from '@hustings/base/command/documentation';
import { parseDuration } from '@hustings/base/command/duration';
import { formatJsonLine } from '@hustings/base/command/json';
import { readPort } from '@hustings/base/command/port';
import { untilStopped } from '@hustings/base/command/stop-signal';
import type { Command } from 'commander';
import type { LogEntry } from '../../elector/events/elector-logger.ts';
import type { Preset } from '../../lease/core/timing.ts';
import { parseStoreUrl } from '../../lease/stores/registry.ts';
import { type SidecarOptions, startSidecar } from '../../sidecar/sidecar.ts';
import { collect, parseMetadata } from '../flags/metadata-flag.ts';
import { serveToken } from '../flags/serve-token.ts';
import { candidateStoreUrl } from '../flags/store-flag.ts';
import { addStoreOptions } from '../flags/supervision-flags.ts';

interface ServeFlags {
  readonly metadata?: readonly string[];
  readonly store?: string;
  readonly local?: boolean;
  readonly ttl?: string;
  readonly preset?: string;
  readonly port?: string;
  readonly socket?: string;
  readonly tokenFile?: string;
  readonly id?: string;
  readonly priority?: string;
  readonly grace: string;
  readonly onElected?: string;
  readonly onLost?: string;
  readonly hookTimeout: string;
  readonly podLabel?: string;
  readonly pod?: string;
  readonly json?: true;
  readonly quiet?: true;
}

const DEFAULT_PORT = 4748;

const HELP = `
A service campaigns with POST /campaign, reports with POST /progress that it
lives, and says with POST /release that its work has stopped. When it reports
nothing, the lease is no longer renewed and runs out. Each of these requests
needs the header X-Hustings-Token and a JSON body. GET /leader, /healthz, /readyz
and /metrics need no token. The protocol, and examples in Python, Go and bash:
${pageUrl('sidecar.md')}

The token is $HUSTINGS_SERVE_TOKEN; without it that of --token-file, which is
written if it does not exist; without both a new one is printed. With HUSTINGS_FENCE_KEY the
fences are signed. Commands of --on-elected and --on-lost are run without a
shell; they get HUSTINGS_NAME, HUSTINGS_TOKEN, HUSTINGS_FENCE, HUSTINGS_EVENT
and HUSTINGS_REASON.

Exit codes: 0 stopped; 2 bad input; 3 the port or the socket cannot be used.

Examples:
  hustings serve billing --store sqlite:./leases.db
  hustings serve billing --socket /run/hustings/sock --token-file /run/hustings/token
  hustings serve billing --store kubernetes:prod --pod-label role=leader

A first request, in another shell:
  curl http://127.0.0.1:${DEFAULT_PORT}/leader`;

export function addServe(program: Command): void {
  const command = program
    .command('serve')
    .description(
      'Serves elections over HTTP to a service on this host, until Ctrl-C, and prints the address.\n' +
        'Only this host can reach it.',
    )
    .argument('<NAME...>', 'names of the elections');
  addStoreOptions(command)
    .option('--port <N>', `port of 127.0.0.1, any with 0 (default: ${DEFAULT_PORT})`)
    .option('--socket <PATH>', 'Unix-domain socket instead of a port, for this user only')
    .option('--token-file <PATH>', 'file with the token of changes, written if it does not exist')
    .option(
      '--id <NAME>',
      'name of this candidate (default: host name and PID; in metrics the host name alone)',
    )
    .option('--metadata <KEY=VALUE>', 'what others see of this leader; may be repeated', collect)
    .option('--priority <N>', 'a leader yields to a candidate of higher priority (default: 0)')
    .option('--grace <DURATION>', 'time for the service to stop its work after SIGTERM', '10s')
    .option('--on-elected <COMMAND>', 'command to run when the service is elected')
    .option('--on-lost <COMMAND>', 'command to run when the service must stop its work')
    .option('--hook-timeout <DURATION>', 'time after which these commands are killed', '10s')
    .option('--pod-label <KEY=VALUE>', 'label of the own Kubernetes pod while the service leads')
    .option('--pod <NAME>', 'name of the own pod (default: host name)')
    .option('--json', 'print {"url": …} as the first line, and events as lines of JSON on stderr')
    .option('--quiet', 'print no events')
    .addHelpText('after', HELP)
    .action(serveCommand);
}

async function serveCommand(names: readonly string[], flags: ServeFlags): Promise<void> {
  if (flags.json && flags.quiet) throw new InputError('--json and --quiet exclude each other');
  if (flags.port !== undefined && flags.socket !== undefined) {
    throw new InputError('--port and --socket exclude each other');
  }
  const log = logTo(flags);
  const warn = (message: string): void => log({ level: 'warn', message: `hustings: ${message}` });
  const { token, isNew } = serveToken(flags.tokenFile, process.env, warn);
  const options = optionsOf(names, flags, { token, log, warn });
  await untilStopped(async (stopped) => {
    const sidecar = await startSidecar(options);
    const { url } = sidecar;
    const printed = isNew ? { token } : {};
    if (flags.json) console.log(formatJsonLine({ url, socket: flags.socket ?? null, ...printed }));
    else {
      console.log(`The sidecar is at ${flags.socket ?? url} (Ctrl-C stops it)`);
      if (isNew) console.log(`Its token is ${token}`);
    }
    await stopped;
    await sidecar.close();
  });
  // A lease that runs out may still be watched over: nothing more can be done for it.
  process.exit(0);
}

function optionsOf(
  names: readonly string[],
  flags: ServeFlags,
  { token, log, warn }: Pick<SidecarOptions, 'token' | 'log'> & { readonly warn: (message: string) => void },
): SidecarOptions {
  const storeUrl = candidateStoreUrl(flags.store, flags.local === true, warn);
  if (!parseStoreUrl(storeUrl).store.shared) {
    throw new InputError('the memory store is not shared with other hosts; use sqlite:PATH or a server');
  }
  const { onElected, onLost, podLabel } = flags;
  const hooks = {
    onElected: mapDefined(onElected, (text) => wordsOf('on-elected', text)) ?? null,
    onLost: mapDefined(onLost, (text) => wordsOf('on-lost', text)) ?? null,
    timeoutMs: parseDuration('hook-timeout', flags.hookTimeout),
    env: process.env,
  };
  return {
    ...{ storeUrl, names, token, id: flags.id, log },
    metadata: parseMetadata(flags.metadata),
    place:
      flags.socket === undefined
        ? { port: mapDefined(flags.port, readPort) ?? DEFAULT_PORT }
        : { socket: flags.socket },
    priority: mapDefined(flags.priority, (text) => parseNumber('priority', text)),
    stopGraceMs: parseDuration('grace', flags.grace),
    fenceKey: process.env.HUSTINGS_FENCE_KEY || undefined,
    timing: {
      ttlMs: mapDefined(flags.ttl, (text) => parseDuration('ttl', text)),
      preset: flags.preset as Preset | undefined,
    },
    hooks: onElected === undefined && onLost === undefined ? undefined : hooks,
    podLabel:
      podLabel === undefined
        ? undefined
        : {
            label: podLabel,
            pod: flags.pod ?? hostname(),
            url: storeUrl.startsWith('kubernetes:') ? storeUrl : 'kubernetes:',
          },
  };
}

/** A program and its arguments, separated by spaces. */
function wordsOf(option: string, text: string): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) throw new InputError(`--${option} must be a command, not ${JSON.stringify(text)}`);
  return words;
}

function logTo({ json, quiet }: ServeFlags): SidecarOptions['log'] {
  return ({ level, message, fields }: Pick<LogEntry, 'level' | 'message'> & { readonly fields?: object }) => {
    // The message has the text of the error.
    if (json)
      console.error(
        formatJsonLine({ at: new Date().toISOString(), level, message, ...fields, err: undefined }),
      );
    else if (!quiet) console.error(message);
  };
}
