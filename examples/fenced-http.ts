import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  FenceRejections,
  FileFenceMarks,
  fenceHeaders,
  type Passage,
  signFence,
  withFence,
} from 'hustings/lease/fence';

const key = randomBytes(32); // shared by this service and the electors, as their fenceKey
const rejections = new FenceRejections();

// The service. withFetchFence takes the same options, for handlers from Request to Response.
const charge = (_request: IncomingMessage, response: ServerResponse, { token }: Passage) =>
  response.end(`done under ${token}`);
const server = createServer(
  withFence(charge, {
    name: 'billing-cron',
    key,
    marks: new FileFenceMarks('marks'), // shared by the processes of this host, and durable
    onRejected: rejections.count,
  }),
).listen(0, '127.0.0.1');
await once(server, 'listening');

// The leaders. With an elector: fetch(url, { headers: fenceHeaders(lead) })
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
for (const token of [7n, 8n, 7n]) {
  const fence = signFence({ name: 'billing-cron', token, key });
  const response = await fetch(url, { headers: fenceHeaders({ fence }) });
  console.log(response.status, (await response.text()).trim());
}
const forged = { name: 'billing-cron', token: 2n ** 63n - 1n };
console.log((await fetch(url, { headers: fenceHeaders(forged) })).status, rejections.byKind);
server.close();
server.closeAllConnections();
