// Every replica answers reads; the leader accepts writes. The others answer with the name of the leader.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createElector, type Lead, prometheusText } from 'hustings';

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

const store = process.env.HUSTINGS_STORE ?? 'sqlite:./leases.db';
const elector = createElector({
  store,
  name: 'orders',
  id: process.env.REPLICA ?? 'replica',
  preset: 'fast',
  exitWhenOverdueMs: 30_000, // work that hangs would keep this replica out of the election
});
let lead: Lead | null = null;

const server = createServer(async (request, response) => {
  if (request.url === '/metrics') return response.end(prometheusText([elector.metrics]));
  if (request.url === '/healthz') {
    const health = elector.health();
    return response.writeHead(health.healthy ? 200 : 503).end(JSON.stringify(health));
  }
  if (request.method === 'POST') {
    // Reads the clock on every call: a replica that was suspended does not accept the write.
    if (lead?.isValid()) return response.end(`accepted under token ${lead.token}\n`);
    response.statusCode = 421;
  }
  const view = await elector.leader().catch(() => ({ type: 'unknown' as const }));
  response.end(view.type === 'led' ? `${view.holder} leads\n` : `${view.type}\n`);
}).listen(Number(process.env.PORT ?? 0), '127.0.0.1');
await once(server, 'listening');
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

await elector.campaign(
  async (term) => {
    lead = term;
    await term.ended; // resolves when the term is over, also if it already is
  },
  { signal: stop.signal },
);
server.close();
server.closeAllConnections();
await elector.close();
