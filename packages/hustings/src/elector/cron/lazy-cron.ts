import { once } from '../lazy-modules.ts';

/** Loads the module of schedules, once. */
export const lazyCron = once(() => import('./cron-run.ts'));
