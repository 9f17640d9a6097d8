// An Express service: every replica serves requests, and one of them runs the job.

import express from 'express';
import { createElector, prometheusText } from 'hustings';
import { runReports } from './reports.ts';

const elector = createElector({
  store: process.env.HUSTINGS_STORE ?? 'sqlite:./leases.db',
  name: 'reports',
  id: process.env.REPLICA ?? 'replica',
  preset: 'fast',
});

const app = express();
app.get('/healthz', (_, response) => {
  const health = elector.health();
  response.status(health.healthy ? 200 : 503).json(health);
});
// Ready as soon as it serves requests: a replica that waits for leadership is ready too.
app.get('/readyz', (_, response) => {
  response.status(stop.signal.aborted ? 503 : 200).json({ leads: elector.metrics.isLeader });
});
app.get('/metrics', (_, response) => {
  response.type('text/plain').send(prometheusText([elector.metrics]));
});

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

const server = app.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  console.log('listening', server.address());
});

// Resolves after SIGTERM, when the job has stopped and the lease is released.
await elector.campaign(runReports, { signal: stop.signal });
await elector.close();
server.close();
server.closeAllConnections();
