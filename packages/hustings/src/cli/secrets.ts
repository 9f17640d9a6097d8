/** Removes the passwords of stores and queues, as the environment names them, from a text. */
import { scrub } from '../lease/store-url.ts';
import { redact } from '../lease/stores/registry.ts';

export function withoutSecrets(text: string): string {
  const { HUSTINGS_STORE, HUSTINGS_QUEUE } = process.env;
  const urls = [HUSTINGS_STORE, HUSTINGS_QUEUE].filter((url) => url !== undefined && url !== '') as string[];
  return urls.reduce((rest, url) => scrub(rest, url, redact(url)), text);
}
