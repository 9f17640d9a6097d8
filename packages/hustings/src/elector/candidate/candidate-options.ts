/** What an elector tells the core of each new candidate. Apart from the settings, because a mere observer needs none of it. */
import { randomUUID } from 'node:crypto';
import type { CandidateOptions } from '../../lease/core/candidate-options.ts';
import { slotIdentity, slotNames } from '../../lease/core/slot.ts';
import { plainFence } from '../../lease/fence/fence.ts';
import { signFence } from '../../lease/fence/signed-fence.ts';
import { processProof } from '../../lease/host/process-proof.ts';
import type { ElectorSettings } from '../elector-options.ts';
import type { LeadTerm } from '../lead.ts';
import { type CallHooks, type CandidateCalls, SingleCalls } from './candidate-calls.ts';
import { GroupCalls } from './group-calls.ts';
import { SlotCalls } from './slot-calls.ts';
import type { StoreCalls } from './store-calls.ts';

/** The ancestors of this process seldom change, and a thousand candidates may start at once. */
const PROOF_LASTS_MS = 1_000;
let ownProof = { proof: '', madeMs: Number.NEGATIVE_INFINITY };

function recentProof(): string {
  const nowMs = performance.now();
  if (nowMs - ownProof.madeMs > PROOF_LASTS_MS) ownProof = { proof: processProof(), madeMs: nowMs };
  return ownProof.proof;
}

/** Each candidate has an identity of its own: two in one process are as distinct as two hosts. */
export function candidateOptionsOf(settings: ElectorSettings): CandidateOptions {
  const uuid = randomUUID();
  const { clock, kind } = settings;
  return {
    name: settings.name,
    id: settings.id,
    identity: slotIdentity(kind === undefined ? uuid : `${uuid}/${kind}`, settings.slots),
    priority: settings.priority,
    processProof: settings.processProof ?? recentProof(),
    timing: settings.timing,
    holdAtLeastMs: settings.holdAtLeastMs,
    fair: settings.fair,
    ...(settings.metadata === undefined ? {} : { metadata: settings.metadata }),
    seed: clock.random ? Math.floor(clock.random() * 2 ** 32) : Number.parseInt(uuid.slice(0, 8), 16),
  };
}

/** What asks the store for the leases of the election. */
export function callsOf(settings: ElectorSettings, calls: StoreCalls, hooks: CallHooks): CandidateCalls {
  const { name, names, slots, timing, clock } = settings;
  if (names !== null) return new GroupCalls(name, names, timing, calls, clock, hooks);
  if (slots === 1) return new SingleCalls(name, calls, hooks);
  return new SlotCalls(name, slotNames(name, slots), timing, calls, clock, hooks);
}

/** The fence of each lease, by its name. The key may be rotated: it is asked for once per term. */
export function fencesOf(
  { fenceKey }: ElectorSettings,
  leases: readonly Pick<LeadTerm, 'name' | 'token'>[],
): Readonly<Record<string, string>> {
  const key = fenceKey();
  const fenceOf = (name: string, token: bigint): string =>
    key === undefined ? plainFence({ name, token }) : signFence({ name, token, key });
  return Object.fromEntries(leases.map(({ name, token }) => [name, fenceOf(name, token)]));
}
