/** The flag `--queue` of commands that may share their work with other machines. */
export const QUEUE_FORM = 'redis://HOST[:PORT][/DB] or rediss://…';

export const QUEUE_HELP = `Redis that connects the workers: ${QUEUE_FORM} (default: $HUSTINGS_QUEUE)`;
