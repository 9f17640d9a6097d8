import { type ExitCategory, HustingsError } from '../../base/hustings-error.ts';

/** The lab cannot be served: its page is not built. */
export class LabError extends HustingsError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HUSTINGS_LAB', cause });
  }

  override get exitCategory(): ExitCategory {
    return 'environment';
  }
}
