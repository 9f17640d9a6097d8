/** Leads until it is killed or told to stop, and reports that on stdout. Arguments: URL, name, ttl, and `proof` or `none`. */
import { createElector } from 'hustings';

const [url, name, ttlMs, proof] = process.argv.slice(2);
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
process.stdin.on('end', () => process.exit(1)).resume();
process.stdin.unref();
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
