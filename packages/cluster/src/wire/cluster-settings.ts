/**
 * What all members must have in common, because a promise of one member is counted by another: the algorithm, its parameters
 * and the durations of leases. It is compared when two members connect. Members that differ exchange no frame.
 */
import { isRecord } from '@hustings/base';

/** Values by name, as text for the log. Together they are shorter than a frame of an unauthenticated peer may be. */
export type ClusterSettings = Readonly<Record<string, string>>;

/** How two members differ, in one line; null if they do not. `theirs` is what the peer has sent. */
export function settingsProblem(
  id: number,
  own: ClusterSettings,
  peer: number,
  theirs: unknown,
): string | null {
  const peerSettings = isRecord(theirs) ? theirs : {};
  const name = [...Object.keys(own), ...Object.keys(peerSettings)].find(
    (key) => own[key] !== peerSettings[key],
  );
  if (name === undefined) return null;
  const [first, second] = [peerSettings[name], own[name]].map((value) =>
    String(value ?? 'not given').slice(0, 100),
  );
  return `the ${name} of member ${peer} is ${first}, and that of member ${id} is ${second}; give all members the same`;
}
