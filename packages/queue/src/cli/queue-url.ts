/** The queue of a command: the URL in `--queue`, else in HUSTINGS_QUEUE. */
import { InputError } from '@hustings/base';
import { QUEUE_FORM } from '@hustings/study/internal/cli/flags/queue-flag';
import { hasPassword, schemeOf } from 'hustings/internal/lease/store-url';
import { redisSettings } from 'hustings/internal/lease/stores/redis/redis-settings';

/** `given` is true for a flag without a value. */
export function queueUrlOf(given: string | true, env: NodeJS.ProcessEnv = process.env): string {
  if (given !== true && hasPassword(given)) {
    throw new InputError(
      '--queue must not contain a password, because every user of this host can read it in the process list; ' +
        'put the URL into the environment variable HUSTINGS_QUEUE, and leave it out here',
    );
  }
  const url = given === true ? env.HUSTINGS_QUEUE : given;
  if (!url) throw new InputError(`--queue needs a URL: give ${QUEUE_FORM}, or set HUSTINGS_QUEUE`);
  const name = given === true ? 'HUSTINGS_QUEUE' : '--queue';
  if (!['redis', 'rediss'].includes(schemeOf(url) ?? ''))
    throw new InputError(`${name} must be ${QUEUE_FORM}`);
  try {
    redisSettings(url);
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${name}: ${error.message}`) : error;
  }
  return url;
}
