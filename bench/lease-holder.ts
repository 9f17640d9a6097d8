/** Leads until it is killed or told to stop; says so on stdout. Its arguments: URL, name, ttl, and whether it offers proof. */
import { createElector } from '../src/elector/create-elector.ts';

const [url, name, ttlMs, proof] = process.argv.slice(2);
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
const elector = createElector({
  store: url,
  name,
  id: 'holder',
  ttlMs: Number(ttlMs),
  ...(proof === 'proof' ? {} : { processProof: '' }),
});
await elector.campaign(
  async (lead) => {
    process.stdout.write('leading\n');
    await new Promise((resolve) => lead.signal.addEventListener('abort', resolve));
  },
  { signal: stop.signal },
);
await elector.close();
