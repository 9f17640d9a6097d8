import type { ChildProcess } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ROOT } from '../../../../test/source/source-file.ts';
import { MAIN } from '../../../../test-kit/command.ts';
import { runToSuccess, startProcess } from '../../../../test-kit/limits/child-process.ts';
import { until } from '../../../../test-kit/until.ts';
import { sendSignal } from '../../../base/src/node/process-table.ts';
import type { Passage } from '../../src/lease/fence/fence-gate.ts';
import { fenceHeaders, withFence } from '../../src/lease/fence/http-fence.ts';
import { type Answer, get } from './sidecar-client.ts';

export const SERVE_TOKEN = 'the-token-of-all-sidecars';

/** The program of a service and its arguments. */
export type Worker = readonly string[];
const example = (file: string): string => join(ROOT, 'examples/sidecar', file);
export const WORKERS = {
  python: ['python3', example('worker.py')],
  bash: ['bash', example('worker.sh')],
} as const satisfies Readonly<Record<string, Worker>>;

/** Builds the example in Go into `folder`: `go run` would not pass signals on. */
export function goWorker(folder: string): Worker {
  const program = join(folder, 'worker');
  const env = { ...process.env, GOCACHE: join(folder, 'go-cache'), GO111MODULE: 'off' };
  runToSuccess('go', ['vet', example('worker.go')], { env });
  runToSuccess('go', ['build', '-o', program, example('worker.go')], { env });
  return [program];
}

export interface Write {
  readonly token: bigint;
  readonly atMs: number;
}

/** A service that accepts writes of the newest leader only. */
export class Resource {
  readonly accepted: Write[] = [];
  refused = 0;
  #server: Server | null = null;
  #url = '';

  async start(): Promise<string> {
    const accept = (_: IncomingMessage, response: ServerResponse, { token }: Passage): void => {
      this.accepted.push({ token, atMs: performance.now() });
      response.end('done');
    };
    const fenced = withFence(accept, { name: 'billing' });
    this.#server = createServer(async (request, response) => {
      response.once('finish', () => {
        if (response.statusCode !== 200) this.refused++;
      });
      await fenced(request, response);
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
    return this.#url;
  }

  /** The status of the answer to a write under this token. */
  async write(token: bigint): Promise<number> {
    const headers = fenceHeaders({ name: 'billing', token });
    return (await fetch(this.#url, { method: 'POST', headers })).status;
  }

  /** The token of the latest accepted write. */
  get token(): bigint {
    return this.accepted.at(-1)?.token ?? 0n;
  }

  /** Waits for a write under a newer token. */
  async newerThan(token: bigint): Promise<Write> {
    await until(() => this.token > token);
    return this.accepted.find((write) => write.token > token)!;
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}

/** A sidecar and its service, as processes of their own. */
export class Replica {
  readonly sidecar: ChildProcess;
  service: ChildProcess | null = null;
  port = 0;
  log = '';

  constructor(
    readonly id: string,
    store: string,
    private readonly resource: string,
    more: readonly string[] = [],
  ) {
    const args = ['serve', 'billing', '--id', id, '--port', '0', '--preset', 'fast', '--json', ...more];
    this.sidecar = startProcess(process.execPath, [MAIN, ...args], {
      env: { ...process.env, HUSTINGS_STORE: store, HUSTINGS_SERVE_TOKEN: SERVE_TOKEN },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    this.sidecar.stdout?.on('data', (data) => {
      printed += data;
      if (this.port === 0 && printed.includes('\n'))
        this.port = Number(new URL(JSON.parse(printed).url).port);
    });
    this.sidecar.stderr?.on('data', (data) => (this.log += data));
  }

  async ready(): Promise<this> {
    await until(async () => {
      if (this.sidecar.exitCode !== null) throw new Error(`the sidecar ended: ${this.log}`);
      return this.port > 0 && (await get(this, '/readyz')).status === 200;
    });
    return this;
  }

  work([program, ...args]: Worker): void {
    this.service = startProcess(program, args, {
      env: {
        ...process.env,
        SIDECAR: `http://127.0.0.1:${this.port}`,
        HUSTINGS_SERVE_TOKEN: SERVE_TOKEN,
        RESOURCE: this.resource,
      },
      stdio: 'ignore',
      detached: true,
    });
  }

  leader(): Promise<Answer> {
    return get(this, '/leader');
  }

  async health(): Promise<{ readonly state: string }> {
    return (await get(this, '/healthz')).body.elections[0];
  }

  async isLeading(): Promise<boolean> {
    return (await this.leader()).body.leads === true;
  }

  /** Stops a process, and its children if it leads a group. */
  stop(child: ChildProcess): void {
    this.#signal(child, 'SIGSTOP');
  }

  resume(child: ChildProcess): void {
    this.#signal(child, 'SIGCONT');
  }

  kill(child: ChildProcess): void {
    this.#signal(child, 'SIGKILL');
  }

  end(): void {
    for (const child of [this.service, this.sidecar]) if (child !== null) this.kill(child);
  }

  #signal(child: ChildProcess, signal: NodeJS.Signals): void {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    sendSignal(child === this.service ? -child.pid : child.pid, signal);
  }
}
