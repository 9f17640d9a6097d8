/** Plays Maelstrom: starts the nodes, carries their messages with delays and losses, and is the client c1. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { MAIN } from '../../../../test-kit/command.ts';
import { startProcess } from '../../../../test-kit/limits/child-process.ts';
import { Random } from '../../../study/src/kernel/random.ts';

export type Body = Readonly<Record<string, unknown>>;

export class MaelstromRouter {
  readonly names: readonly string[];
  /** Every line of stdout that is not a message. */
  readonly strayLines: string[] = [];
  /** By term, every leader that a node has answered with. */
  readonly leaders = new Map<number, Set<string>>();
  /** The names of nodes that are cut off from the others, but not from clients. */
  cutOff: readonly string[] = [];
  private readonly children = new Map<string, ChildProcess>();
  private readonly closed = new Map<string, Promise<unknown>>();
  private readonly logs = new Map<string, string>();
  private readonly waiting = new Map<number, (body: Body) => void>();
  private readonly random: Random;
  private requests = 0;

  constructor(
    nodes: number,
    private readonly faults: { readonly seed: number; readonly loss: number; readonly delayMs: number },
  ) {
    this.names = Array.from({ length: nodes }, (_, k) => `n${k}`);
    this.random = new Random(faults.seed, 'maelstrom');
  }

  /** Starts a node and waits for its answer to init. */
  async start(name: string, args: readonly string[]): Promise<void> {
    const child = startProcess(process.execPath, [MAIN, 'maelstrom', ...args]);
    this.children.set(name, child);
    this.closed.set(name, once(child, 'close'));
    this.logs.set(name, '');
    // A node that was killed does not read.
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', (data) => this.logs.set(name, `${this.logs.get(name)}${data}`));
    createInterface({ input: child.stdout }).on('line', (line) => this.route(line));
    const answer = await this.ask(name, { type: 'init', node_id: name, node_ids: this.names });
    if (answer.type !== 'init_ok') throw new Error(JSON.stringify(answer));
  }

  async startAll(args: readonly string[]): Promise<void> {
    await Promise.all(this.names.map((name) => this.start(name, args)));
  }

  /** A request of a client, which is neither lost nor delayed. */
  ask(name: string, body: Body): Promise<Body> {
    const id = ++this.requests;
    const answer = new Promise<Body>((resolve) => this.waiting.set(id, resolve));
    this.write(name, JSON.stringify({ src: 'c1', dest: name, body: { ...body, msg_id: id } }));
    return answer;
  }

  write(name: string, line: string): void {
    this.children.get(name)?.stdin?.write(`${line}\n`);
  }

  log(name: string): string {
    return this.logs.get(name) ?? '';
  }

  /** What these nodes answer when they are asked for the leader. */
  async askAll(names = this.names): Promise<{ readonly leader: string | null; readonly term: number }[]> {
    const answers = await Promise.all(names.map((name) => this.ask(name, { type: 'leader' })));
    return answers.map(({ leader, term, type }) => {
      if (type !== 'leader_ok') throw new Error(`an answer of type ${type}`);
      if (leader === null) return { leader: null, term: term as number };
      const known = this.leaders.get(term as number) ?? new Set();
      this.leaders.set(term as number, known.add(leader as string));
      return { leader: leader as string, term: term as number };
    });
  }

  /** Waits until these nodes name one leader among `eligible` in one term, and returns it. */
  async agreement(names = this.names, eligible = names): Promise<{ leader: string; term: number }> {
    for (;;) {
      const [first, ...others] = await this.askAll(names);
      const isSame = others.every(({ leader, term }) => leader === first.leader && term === first.term);
      if (isSame && first.leader !== null && eligible.includes(first.leader))
        return { leader: first.leader, term: first.term };
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Ends the input of a node, or kills it, and returns its exit code. */
  async stop(name: string, signal?: 'SIGKILL'): Promise<number | null> {
    const child = this.children.get(name) as ChildProcess;
    if (signal === undefined) child.stdin?.end();
    else child.kill(signal);
    await this.closed.get(name);
    this.children.delete(name);
    return child.exitCode;
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.children.keys()].map((name) => this.stop(name, 'SIGKILL')));
  }

  private route(line: string): void {
    let parsed: { src: string; dest: string; body: Body };
    try {
      parsed = JSON.parse(line);
    } catch {
      this.strayLines.push(line);
      return;
    }
    const { src, dest, body } = parsed;
    if (dest === 'c1') this.waiting.get(body.in_reply_to as number)?.(body);
    if (dest === 'c1' || this.random.unit() < this.faults.loss) return;
    const copies = this.random.unit() < this.faults.loss ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      setTimeout(() => {
        if (!this.isCut(src, dest)) this.write(dest, line);
      }, this.random.unit() * this.faults.delayMs);
    }
  }

  private isCut(src: string, dest: string): boolean {
    return this.cutOff.includes(src) !== this.cutOff.includes(dest);
  }
}
