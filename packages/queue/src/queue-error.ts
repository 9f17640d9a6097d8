import { type ExitCategory, HustingsError } from '@hustings/base';

/** The queue cannot be used, or has lost or cancelled the work. */
export class QueueError extends HustingsError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HUSTINGS_QUEUE', cause });
  }

  override get exitCategory(): ExitCategory {
    return 'environment';
  }
}
