// One candidate of the fault tests, as a process of its own. While it leads it writes a line to its journal every 20 ms, after
// an assert, and sends a write to the sink, of which some are held up on the way until the lease is long over.
import { openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createElector, fenceHeaders } from './built.mjs';

const config = JSON.parse(process.argv[2]);
const journal = openSync(config.journal, 'a');

/** One clock serves all processes of a host. */
const nowMs = () => Number(process.hrtime.bigint() / 1000n) / 1000;

const note = (/** @type {string} */ event, /** @type {object} */ fields) =>
  writeSync(journal, `${JSON.stringify({ at: nowMs(), id: config.id, event, ...fields })}\n`);

const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
process.on('disconnect', () => process.exit(1));
// The clock of the kernel cannot be set for one process.
const wallMs = Date.now;
let aheadMs = 0;
Date.now = () => wallMs() + aheadMs;
process.on('message', (/** @type {{ blockMs?: number, stepMs?: number }} */ { blockMs = 0, stepMs = 0 }) => {
  aheadMs += stepMs;
  const endMs = performance.now() + blockMs;
  while (performance.now() < endMs);
});

note('start', { token: '0' });
const elector = createElector({
  store: config.store,
  name: config.name,
  id: config.id,
  ttlMs: config.ttlMs,
  slots: config.slots,
  fenceKey: config.fenceKey ?? undefined,
  onEvent: (event) => {
    if (event.type === 'ended') {
      const { slot, token } = event.lead;
      note('over', { slot, token: String(token), reason: event.reason, released: event.released });
    }
    if (event.type === 'stopping' || event.type === 'lost') {
      note('lost', { slot: event.lead.slot, token: String(event.lead.token), reason: event.reason });
    }
  },
});

await elector.campaign(
  async (lead) => {
    const { slot } = lead;
    const token = String(lead.token);
    // The time comes first: a process may be stopped as soon as it is granted the lease, and resume after the next one.
    const beginAt = nowMs();
    if (!config.careless && !lead.isValid()) return;
    note('begin', { slot, token, at: beginAt });
    // A careless candidate believes what it was told once, as many do.
    for (let i = 0; config.careless ? i < 500 : !lead.signal.aborted; i++) {
      // Before the assert: a process may be stopped between an assert and what follows it.
      const at = nowMs();
      try {
        if (!config.careless) lead.assert();
      } catch {
        return;
      }
      note('work', { slot, token, at });
      const delayMs = i % 10 === 0 ? config.ttlMs * (2 + (i % 3)) : 0;
      const headers = { ...fenceHeaders(lead), 'x-delay-ms': String(delayMs) };
      const sent = config.sink === null ? null : fetch(config.sink, { method: 'POST', headers });
      sent?.then(
        (answer) => answer.text(),
        () => {},
      );
      await sleep(20);
    }
  },
  { signal: stop.signal },
);
await elector.close();
process.disconnect?.();
