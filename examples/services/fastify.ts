// A Fastify service: every replica serves requests, and one of them runs the job.
import Fastify from 'fastify';
import { createElector, prometheusText } from 'hustings';
import { runReports } from './reports.ts';

const elector = createElector({
  store: process.env.HUSTINGS_STORE ?? 'sqlite:./leases.db',
  name: 'reports',
  id: process.env.REPLICA ?? 'replica',
  preset: 'fast',
});
const stop = new AbortController();
const app = Fastify({ forceCloseConnections: true });

app.get('/healthz', async (_, reply) => {
  const health = elector.health();
  return reply.code(health.healthy ? 200 : 503).send(health);
});
// Ready as soon as it serves requests: a replica that waits for leadership is ready too.
app.get('/readyz', async (_, reply) => {
  return reply.code(stop.signal.aborted ? 503 : 200).send({ leads: elector.metrics.isLeader });
});
app.get('/metrics', async (_, reply) => reply.type('text/plain').send(prometheusText([elector.metrics])));

let campaign: Promise<void> | undefined;
app.addHook('onReady', async () => {
  campaign = elector.campaign(runReports, { signal: stop.signal });
  // A job that throws ends the service.
  campaign.catch((error) => {
    console.error(error);
    process.exitCode = 1;
    void app.close();
  });
});
// Before the server closes: the job stops and the lease is released, while /readyz already answers 503.
app.addHook('preClose', async () => {
  stop.abort();
  await campaign?.catch(() => {});
  await elector.close();
});
process.once('SIGTERM', () => void app.close());

await app.listen({ port: Number(process.env.PORT ?? 0), host: '127.0.0.1' });
console.log('listening', app.server.address());
