import { HustingsError } from '../../base/hustings-error.ts';

/** A member whose process cannot go on. */
export class MemberStoppedError extends HustingsError {
  constructor(id: number, reason: string, cause?: unknown) {
    super(`member ${id} has stopped: ${reason}`, { code: 'HUSTINGS_MEMBER_STOPPED', cause });
  }
}
