/** Replays the recording of a simulated cluster through the world stepper: every step must be one that the algorithm may take. */
import { overlaySetup } from '../../../src/cluster/view/overlay.ts';
import { parseStep, type Step } from '../../../src/kernel/world/step.ts';
import { World } from '../../../src/kernel/world/world.ts';
import type { SimulatedCluster } from '../simulated-cluster.ts';

const MANY = 1_000_000;

/** The number of steps that were replayed; throws at the first that is not enabled. */
export function replayTrace({ lines, options }: SimulatedCluster): number {
  const { algorithm, edges, ids, set } = options;
  const worlds = new Map<string, World>();
  const worldOf = (name: string, members: readonly number[]): World => {
    const known = worlds.get(name);
    if (known !== undefined) return known;
    const setup = overlaySetup(algorithm, members, set ?? {}, edges ?? null);
    if (setup === null) throw new Error(`no overlay of ${members}`);
    const faults = { crashes: MANY, recoveries: MANY, losses: MANY };
    const world = new World(setup, {
      timing: 'asynchronous',
      starts: 'free',
      dead: [],
      unreliable: true,
      faults,
    });
    // No member runs the auxiliary processes.
    for (let at = setup.nodes; at < setup.topology.n; at++) world.apply({ type: 'crash', node: at });
    worlds.set(name, world);
    return world;
  };
  const positions = ids.toSorted((a, b) => a - b);
  let steps = 0;
  for (const { id, line } of lines) {
    if (line.type === 'epoch') worldOf(`${line.number} ${line.proposer}`, line.members);
    else if (line.type === 'begin') {
      if (line.recovered && algorithm.assumes.faults?.includes('crash'))
        worldOf('0 0', ids).apply({ type: 'crash', node: positions.indexOf(id) });
    } else {
      steps++;
      const world = worldOf(`${line.epoch} ${line.proposer}`, ids);
      const step = parseStep(line.step);
      loseOlder(world, step);
      const { events } = world.apply(step);
      const sent = events.filter(({ type }) => type === 'send').length;
      if (sent !== line.sent.length)
        throw new Error(`${line.step} sent ${line.sent.length} messages, and ${sent} in the world`);
    }
  }
  return steps;
}

/** A link that was reset has lost what was older than the message that arrives; on a FIFO link that must be said first. */
function loseOlder(world: World, step: Step): void {
  if (step.type !== 'deliver' || !world.rules.fifo) return;
  const { from, message, port, to } = step;
  const onLink = world.configuration.messages.filter(
    (one) => one.from === from && one.to === to && one.port === port,
  );
  const place = onLink.findIndex(({ text }) => text === message);
  for (const { text } of onLink.slice(0, Math.max(0, place))) {
    world.apply({ type: 'lose', from, to, message: text, port });
  }
}
