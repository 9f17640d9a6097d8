import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { MAIN, temporaryFolder } from '../../../../test-kit/command.ts';
import { eventually } from '../../../../test-kit/eventually.ts';
import { outputOf, runProcess, startProcess } from '../../../../test-kit/limits/child-process.ts';
import { livingInSession } from '../../../base/src/node/process-table.ts';
import { openStore } from '../../src/lease/index.ts';
import { remainingMs } from '../../src/supervisor/deadline.ts';
import { readDeadline } from '../../src/supervisor/deadline-file.ts';

const folder = temporaryFolder();
const supervisors: ChildProcess[] = [];
afterAll(() => {
  for (const supervisor of supervisors) supervisor.kill('SIGKILL');
});

let files = 0;
const newFile = () => join(folder.path, `file-${++files}`);
/** Whole lines only. */
const content = (path: string) => (existsSync(path) ? /^(.*\n)*/.exec(readFileSync(path, 'utf8'))![0] : '');

interface Run {
  readonly supervisor: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals>;
  stdout: string;
  stderr: string;
}

/** `args` follow `lead x`; `input` is the standard input of the command. */
function lead(args: readonly string[], env: NodeJS.ProcessEnv = {}, input = ''): Run {
  const supervisor = startProcess(process.execPath, [MAIN, 'lead', 'x', ...args], {
    cwd: folder.path,
    env: { ...process.env, XDG_STATE_HOME: folder.path, ...env },
    stdio: 'pipe',
  });
  supervisors.push(supervisor);
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    supervisor.on('close', (code, signal) => resolve(code ?? signal!));
  });
  supervisor.stdin.end(input);
  return Object.assign(outputOf(supervisor), { supervisor, ended });
}

const POD = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };
/** A store that no other test uses. */
const alone = () => ['--store', `sqlite:${newFile()}.db`];
const shell = (script: string) => ['--', 'bash', '--norc', '-c', script];
/** Writes the PID of its guard to a file, and runs until it is stopped. */
const lasting = (ready: string, trap = "trap 'exit 0' TERM") =>
  shell(`${trap}; echo $PPID > ${ready}; while :; do sleep 0.05; done`);

describe.concurrent('hustings lead', () => {
  it('connects the command to standard input and output, and exits with its code', async () => {
    const run = lead([...alone(), ...shell('cat; echo oops >&2; exit 7')], {}, 'read this');
    expect(await run.ended).toBe(7);
    expect(run.stdout).toBe('read this');
    expect(run.stderr).toMatch(
      /^hustings: 'x': leading with token (\d+)\noops\nhustings: 'x': term \1 ended: released\n$/,
    );
  });

  it('exits with 128 + n if signal n ended the command', async () => {
    expect(await lead([...alone(), ...shell('kill -ABRT $$')]).ended).toBe(134);
  });

  it('with --local uses a file of the user, whatever HUSTINGS_STORE says, and warns in a container', async () => {
    const run = lead(['--local', ...shell('true')], { ...POD, HUSTINGS_STORE: 'redis://127.0.0.1:1' });
    expect(await run.ended).toBe(0);
    const file = join(folder.path, 'hustings', 'leases.db');
    expect(existsSync(file)).toBe(true);
    expect(run.stderr).toContain(
      `hustings: 'x': warning: the default store is ${file}, and other Kubernetes pods do not share it`,
    );
  });

  it('refuses the default store in a container: each container would elect itself', async () => {
    const run = lead(shell('echo ran'), POD);
    expect(await run.ended).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(
      /^hustings: the default store is .*, and other Kubernetes pods do not share it; .*--store.*--local.*\n$/,
    );
    expect(await lead(['--local', ...alone(), ...shell('true')]).ended).toBe(2);
  });

  it('needs no store on a host: the default is a file of the user', async ({ skip }) => {
    const root = newFile();
    mkdirSync(root);
    // The folders of this machine under another root, without the files that mark a container.
    const script = `mount -t tmpfs none "$0" || exit 1
      for each in /*; do
        if [ -L $each ]; then cp -P $each "$0$each"
        elif [ -d $each ] && [ $each != /run ]; then mkdir "$0$each" && mount --rbind $each "$0$each"; fi
      done
      exec chroot "$0" "$@"`;
    const state = newFile();
    const { KUBERNETES_SERVICE_HOST: _, HUSTINGS_STORE: __, ...env } = process.env;
    const onHost = (...command: string[]) =>
      runProcess('unshare', ['-rm', 'sh', '-c', script, root, ...command], {
        env: { ...env, XDG_STATE_HOME: state },
      });
    skip(onHost('/bin/true').status !== 0, 'mount namespaces are not allowed here');
    skip(
      /^\S+ \S+ \S+ \S+ \/tmp \S+.* - tmpfs /m.test(readFileSync('/proc/self/mountinfo', 'utf8')),
      '/tmp is a tmpfs',
    );
    const { status, stderr } = onHost(process.execPath, MAIN, 'lead', 'x', '--', 'true');
    expect(stderr).not.toContain('warning');
    expect(status).toBe(0);
    expect(existsSync(join(state, 'hustings', 'leases.db'))).toBe(true);
  });

  it('refuses the default store on a tmpfs', async ({ skip }) => {
    const home = newFile();
    mkdirSync(home);
    const script = 'mount -t tmpfs none "$0" && HOME="$0" XDG_STATE_HOME= exec "$@"';
    const inTmpfs = (...command: string[]) =>
      runProcess('unshare', ['-rm', 'sh', '-c', script, home, ...command]);
    skip(inTmpfs('true').status !== 0, 'mount namespaces are not allowed here');
    const { status, stderr } = inTmpfs(process.execPath, MAIN, 'lead', 'x', '--', 'true');
    expect(String(stderr)).toMatch(/and it is on a tmpfs, which a restart empties; /);
    expect(status).toBe(2);
  });

  it('does not pass secrets on to the command or the guard', async () => {
    const key = 'k'.repeat(40);
    const store = `sqlite:${newFile()}.db`;
    const script = "env; tr '\\0' '\\n' < /proc/$PPID/environ";
    const run = lead(shell(script), { HUSTINGS_STORE: store, HUSTINGS_FENCE_KEY: key, MINE: 'kept' });
    expect(await run.ended).toBe(0);
    expect(run.stdout).toMatch(/^HUSTINGS_FENCE=h1\./m);
    expect(run.stdout).toMatch(/^HUSTINGS_TOKEN=\d+$/m);
    expect(run.stdout.match(/^MINE=kept$/gm)?.length).toBe(2);
    expect(run.stdout).not.toContain(store);
    expect(run.stdout).not.toContain(key);
  });

  it('reports a command that cannot be started', async () => {
    const missing = lead([...alone(), '--', './absent']);
    expect(await missing.ended).toBe(127);
    expect(missing.stderr).toContain("hustings: cannot start './absent': no such file");
    const file = newFile();
    writeFileSync(file, 'not a program', { mode: 0o600 });
    expect(await lead([...alone(), '--', file]).ended).toBe(126);
    // spawn throws this error, and emits the others.
    expect(await lead([...alone(), '--', `${file}/program`]).ended).toBe(126);
  });

  it('rejects a password on the command line without showing it', async () => {
    for (const url of ['redis://u:hush@h:1', 'postgres://h/d?password=hush']) {
      const run = lead(['--store', url, '--', 'true']);
      expect(await run.ended).toBe(2);
      expect(run.stderr).toMatch(/must not contain a password.*HUSTINGS_STORE\n$/);
      expect(run.stderr).not.toContain('hush');
    }
  });

  it('rejects the memory store, which other processes do not share', async () => {
    const run = lead(['--store', 'memory:x', '--', 'true']);
    expect(await run.ended).toBe(2);
    expect(run.stderr).toMatch(/^hustings: the memory store is not shared with other processes/);
  });

  it.each([
    [
      [],
      /^hustings: 'x': (.* cannot be reached.*)\nhustings: gave up: the store did not answer within --wait\n$/,
    ],
    [['--quiet'], /^hustings: (.* cannot be reached.*)\n$/],
  ])(
    'waits for an unreachable store until --wait is over, says once why, and exits with 69: %j',
    async (flags, lines) => {
      const env = { HUSTINGS_STORE: 'redis://u:hush@127.0.0.1:1' };
      const run = lead([...flags, '--wait', '1s', '--', 'true'], env);
      expect(await run.ended).toBe(69);
      expect(lines.exec(run.stderr)?.[1]).toContain('redis://127.0.0.1:1 cannot be reached');
      expect(run.stderr).not.toContain('hush');
    },
  );

  it('gives up after --wait while another candidate leads, and names it', async () => {
    const store = alone();
    const ready = newFile();
    const first = lead([...store, '--id', 'first', ...lasting(ready)]);
    await eventually('the first leads', () => content(ready));
    const second = lead([...store, '--wait', '300ms', '--', 'true']);
    expect(await second.ended).toBe(75);
    expect(second.stderr).toContain("hustings: 'x': waiting: 'first' leads\n");
    const third = lead([...store, '--', 'true']);
    await eventually('the third waits', () => third.stderr);
    third.supervisor.kill('SIGINT');
    expect(await third.ended).toBe(130);
    first.supervisor.kill('SIGTERM');
    expect(await first.ended).toBe(0);
  });

  it('on SIGTERM stops the command, and kills it after --grace', async () => {
    const ready = newFile();
    const run = lead([...alone(), '--grace', '200ms', ...lasting(ready, "trap '' TERM")]);
    const guard = Number(await eventually('the command runs', () => content(ready)));
    run.supervisor.kill('SIGTERM');
    expect(await run.ended).toBe(137);
    expect(livingInSession(guard)).toEqual([]);
  });

  it('passes other signals on to the command', async () => {
    const ready = newFile();
    const run = lead([...alone(), ...lasting(ready, "trap 'echo usr1' USR1; trap 'echo int; exit 9' INT")]);
    await eventually('the command runs', () => content(ready));
    run.supervisor.kill('SIGUSR1');
    await eventually('it hears', () => run.stdout.includes('usr1'));
    run.supervisor.kill('SIGINT');
    expect(await run.ended).toBe(9);
    expect(run.stdout).toBe('usr1\nint\n');
  });

  it('with --no-forward-signals leaves signals to the service manager, which signals all processes', async () => {
    const ready = newFile();
    const trap = 'trap "echo got $((++n))" TERM; trap "echo int" INT';
    const until = newFile();
    const script = `${trap}; echo $PPID $$ > ${ready}; until [ -e ${until} ]; do sleep 0.05; done`;
    const run = lead([...alone(), '--no-forward-signals', ...shell(script)]);
    const [guard, command] = (await eventually('the command runs', () => content(ready)))
      .split(' ')
      .map(Number);
    for (const pid of [run.supervisor.pid!, guard, command]) process.kill(pid, 'SIGTERM');
    await eventually('the supervisor stops', () => run.stderr.includes('stopping the command on SIGTERM'));
    await eventually('the command hears', () => run.stdout);
    writeFileSync(until, '');
    expect(await run.ended).toBe(0);
    expect(run.stdout).toBe('got 1\n');
  });

  it('with --no-forward-signals kills the command after --grace, if nobody stops it', async () => {
    const ready = newFile();
    const options = ['--no-forward-signals', '--grace', '200ms'];
    const run = lead([...alone(), ...options, ...lasting(ready, "trap 'echo heard' INT TERM")]);
    const guard = Number(await eventually('the command runs', () => content(ready)));
    run.supervisor.kill('SIGINT');
    expect(await run.ended).toBe(137);
    expect(run.stdout).toBe('');
    expect(livingInSession(guard)).toEqual([]);
  });

  it.each([
    ['with --ignore-hangup', ['--ignore-hangup'], {}],
    ['under nohup', [], { _: '/usr/bin/nohup' }],
  ])('%s survives SIGHUP, while it waits and while it leads', async (_, options, env) => {
    const store = alone();
    const ready = newFile();
    const leader = lead(
      [...store, ...options, ...lasting(ready, "trap 'echo hup' HUP; trap 'exit 0' TERM")],
      env,
    );
    await eventually('the command runs', () => content(ready));
    const waiter = lead([...store, ...options, ...shell('true')], env);
    await eventually('it waits', () => waiter.stderr);
    for (const { supervisor } of [leader, waiter]) supervisor.kill('SIGHUP');
    // Signals are handled in order.
    leader.supervisor.kill('SIGTERM');
    expect(await leader.ended).toBe(0);
    expect(leader.stdout).toBe('');
    expect(await waiter.ended).toBe(0);
  });

  it.for([
    ['systemd has sent it SIGTERM too, as with KillMode=control-group', 'deactivating', true],
    ['somebody has signalled the supervisor alone', 'active', false],
  ] as const)(
    'in a systemd unit the command receives SIGTERM once if %s',
    async ([_, state, isSentToAll], { skip }) => {
      const bin = newFile();
      mkdirSync(bin);
      const properties = `echo KillMode=control-group; echo ActiveState=${state}`;
      writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\n${properties}\n`, { mode: 0o755 });
      writeFileSync(join(bin, 'cgroup'), '0::/system.slice/billing.service\n');
      const mount = 'mount --bind "$0" /proc/$$/cgroup && exec "$@"';
      const args = ['-rm', 'sh', '-c', mount, join(bin, 'cgroup')];
      const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, INVOCATION_ID: 'f00d' };
      const { status } = runProcess('unshare', [...args, 'true']);
      skip(status !== 0, 'mount namespaces are not allowed here');
      const ready = newFile();
      const received = newFile();
      // Runs on for a second after the first SIGTERM, so that a second one is counted.
      const script =
        `n=0; trap 'n=$((n+1)); echo $n >> ${received}' TERM; echo $$ > ${ready}; ` +
        'while [ $n = 0 ]; do sleep 0.05; done; for i in {1..20}; do sleep 0.05; done';
      const command = [process.execPath, MAIN, 'lead', 'x', ...alone(), ...shell(script)];
      const supervisor = startProcess('unshare', [...args, ...command], { env, stdio: 'ignore' });
      supervisors.push(supervisor);
      const ended = new Promise((resolve) => supervisor.on('close', resolve));
      const pid = Number(await eventually('the command runs', () => content(ready)));
      // The shell counts two signals at once as one.
      if (isSentToAll) {
        process.kill(pid, 'SIGTERM');
        await eventually('the command has received it', () => content(received));
      }
      supervisor.kill('SIGTERM');
      await ended;
      expect(content(received)).toBe('1\n');
    },
  );

  /** A command that ignores SIGTERM and has written down its guard and its environment. */
  async function startWithDeadline() {
    const ready = newFile();
    const script = `trap '' TERM; (env | grep ^HUSTINGS_; echo GUARD=$PPID) > ${ready}; while :; do sleep 0.05; done`;
    const run = lead([...alone(), '--ttl', '3s', ...shell(script)]);
    const text = await eventually('the command runs', () => /^GUARD/m.test(content(ready)) && content(ready));
    const env = Object.fromEntries(text.split('\n').map((line) => line.split('=')));
    const { HUSTINGS_DEADLINE_FILE: path, HUSTINGS_NONCE: nonce, GUARD } = env;
    return { run, env, path, guard: Number(GUARD), deadline: () => readDeadline(path, nonce)! };
  }

  it('moves the deadline in the file of the command at each renewal, and the guard of a killed supervisor removes it', async () => {
    const { run, path, deadline } = await startWithDeadline();
    const first = deadline();
    await eventually('it moves', () => deadline().monoMs > first.monoMs && deadline().wallMs > first.wallMs);
    run.supervisor.kill('SIGKILL');
    await eventually('the file is removed', () => !existsSync(dirname(path)));
  });

  it('tells a command by its file that the lease is over, while supervisor and guard are suspended', async () => {
    const { run, env, guard, deadline } = await startWithDeadline();
    const check = () =>
      runProcess(process.execPath, [MAIN, 'assert'], { env: { ...process.env, ...env } }).status;
    expect(check()).toBe(0);
    for (const pid of [run.supervisor.pid!, guard]) process.kill(pid, 'SIGSTOP');
    await eventually('the lease is over', () => remainingMs(deadline()) <= 0);
    expect(check()).toBe(76);
    expect(livingInSession(guard).length).toBeGreaterThan(1);
    process.kill(guard, 'SIGCONT');
    await eventually('the guard kills the command', () => livingInSession(guard).length === 0);
    run.supervisor.kill('SIGKILL');
  });

  it('with --hold-at-least and --wait 0s runs a job once, on hosts that start together or late', async () => {
    const store = alone();
    const options = [...store, '--hold-at-least', '1h', '--wait', '0s', ...shell('echo ran')];
    const together = [lead(options), lead(options)];
    const codes = await Promise.all(together.map(({ ended }) => ended));
    const late = lead(options);
    expect([...codes.sort(), await late.ended]).toEqual([0, 75, 75]);
    expect([...together, late].map(({ stdout }) => stdout).join('')).toBe('ran\n');
    const waiter = lead([...store, ...shell('echo no')]);
    await eventually('it says why it waits', () => waiter.stderr);
    expect(waiter.stderr).toMatch(
      /^hustings: 'x': waiting: no candidate may lead for another (1 h|5\d min.*)\n$/,
    );
    waiter.supervisor.kill('SIGTERM');
    expect(await waiter.ended).toBe(143);
    expect(waiter.stdout).toBe('');
  });

  it('with --once exits when the lease is lost, and reports why', async () => {
    const file = `${newFile()}.db`;
    const ready = newFile();
    const options = ['--store', `sqlite:${file}`, '--ttl', '3s', '--json'];
    const run = lead([...options, '--once', ...lasting(ready)]);
    await eventually('the command runs', () => content(ready));
    const store = await openStore(`sqlite:${file}`);
    await store.evict('x');
    await store.close();
    expect(await run.ended).toBe(76);
    // The shell also writes about its children.
    const events = run.stderr.match(/^\{.*\}$/gm)!.map((line) => JSON.parse(line));
    const { token } = events[0];
    expect(token).toMatch(/^\d+$/);
    expect(events).toMatchObject([
      { type: 'elected', name: 'x', token },
      { type: 'lost', reason: 'evicted', token },
      { type: 'ended', reason: 'evicted', token },
    ]);
  });

  it('stays out of the election after an eviction, as long as the operator said', async () => {
    const url = `sqlite:${newFile()}.db`;
    const ready = newFile();
    const run = lead(['--store', url, '--ttl', '1s', ...lasting(ready)]);
    await eventually('the command runs', () => content(ready));
    const store = await openStore(url);
    expect(await store.evict('x', 600_000)).toBe(true);
    await eventually('the term has ended', () => run.stderr.includes('ended: evicted'));
    // Several times the pause after a loss that the operator did not ask for.
    await sleep(2_000);
    expect(await store.history('x')).toMatchObject([{ cause: 'evicted' }]);
    await store.close();
    run.supervisor.kill('SIGTERM');
    expect(await run.ended).toBe(143);
  });

  it('leads again after its guard was killed, with a new guard and a larger token', async () => {
    const ready = newFile();
    const run = lead([...alone(), '--ttl', '3s', ...lasting(ready)]);
    const first = await eventually('the command runs', () => content(ready));
    process.kill(Number(first), 'SIGKILL');
    const second = await eventually('it runs again', () => content(ready) !== first && content(ready));
    expect(livingInSession(Number(first))).toEqual([]);
    expect(livingInSession(Number(second)).length).toBeGreaterThan(1);
    run.supervisor.kill('SIGTERM');
    expect(await run.ended).toBe(0);
    expect(run.stderr).toContain("hustings: 'x': lost: the guard of the command was killed\n");
    const tokens = run.stderr.matchAll(/leading with token (\d+)\n/g);
    const [one, two, ...more] = [...tokens].map(([, token]) => BigInt(token));
    expect(two > one && more.length === 0).toBe(true);
  });
});
