/** What happens to a NATS server. It keeps every acknowledged write when it is killed; what an operator deletes, or restores from an older copy, it forgets. */
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { type Fault, OLDER_DATA, restart, whileCutOff } from './fault.ts';

export const NATS_FAULTS: readonly Fault[] = [
  { kind: 'store restarted', inflict: (scene) => restart(scene) },
  OLDER_DATA,
  {
    // The new bucket shows when it was created, and grants nothing until the forgotten leader has stopped.
    kind: 'bucket deleted',
    losesTerms: true,
    inflict: whileCutOff(async ({ server }) => {
      const connection = await connect({ servers: server!.url });
      try {
        await (await new Kvm(connection).open('hustings')).destroy();
      } finally {
        await connection.close();
      }
    }),
  },
];
