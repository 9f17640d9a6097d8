/** What happens to a NATS server. It keeps every acknowledged write when it is killed; what an operator deletes it forgets. */
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { type Fault, restart, whileCutOff } from './fault.ts';

export const NATS_FAULTS: readonly Fault[] = [
  { kind: 'store restarted', inflict: (scene) => restart(scene) },
  {
    kind: 'bucket deleted',
    allowsTwoLeaders: true,
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
