/** A store whose requests to NATS a test may delay, fail or precede. */
import type { NatsConnection } from '@nats-io/transport-node';
import { DocumentLeaseStore } from '../../../../src/lease/stores/document/document-lease-store.ts';
import { loadNats, type NatsLibrary } from '../../../../src/lease/stores/nats/nats-connection.ts';
import { NatsServer } from '../../../../src/lease/stores/nats/nats-server.ts';
import { type NatsStoreOptions, natsSettings } from '../../../../src/lease/stores/nats/nats-settings.ts';

type Request = NatsConnection['request'];

/** A write of the document of an election is a request for a subject that begins like this. */
export const WRITE = '$KV.hustings.election.';

/**
 * `around` gets each request, and answers it with the function that sends it, or does not. A new bucket grants at once, unless
 * `options` says otherwise.
 */
export async function openAround(
  url: string,
  around: (request: Request) => Request,
  options: NatsStoreOptions = { waitAfterCreation: false },
): Promise<DocumentLeaseStore> {
  const library = await loadNats();
  const transport: NatsLibrary['transport'] = {
    ...library.transport,
    connect: async (options) => {
      const connection = await library.transport.connect(options);
      const request: Request = (...call) => connection.request(...call);
      return Object.assign(Object.create(connection), { request: around(request) });
    },
  };
  const settings = natsSettings(url, options);
  return new DocumentLeaseStore(new NatsServer({ ...library, transport }, settings));
}
