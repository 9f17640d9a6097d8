import { HustingsError } from '@hustings/base';

/** A member whose process cannot go on. */
export class MemberStoppedError extends HustingsError {
  constructor(id: number, reason: string, cause?: unknown) {
    super(`member ${id} has stopped: ${reason}`, { code: 'HUSTINGS_MEMBER_STOPPED', cause });
  }
}
