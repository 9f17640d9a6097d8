/** Carries an error from one thread to another, where its class would be lost. */

import { EnvironmentError } from '@hustings/base';
import { CapacityError, ElectionError, HustingsError, InputError, type Remedy } from '../../kernel/index.ts';

export interface WorkerError {
  readonly text: string;
  readonly code?: string;
  readonly remedies?: readonly Remedy[] | undefined;
  /** Set if an election failed. */
  readonly property?: string;
  readonly replay?: string;
  readonly stack?: string | undefined;
}

export function toWorkerError(error: unknown): WorkerError {
  if (error instanceof ElectionError) {
    const { message, code, property, replay } = error;
    return { text: message, code, property, replay };
  }
  if (error instanceof HustingsError) {
    return { text: error.message, code: error.code, remedies: error.remedies };
  }
  return { text: String(error), stack: error instanceof Error ? error.stack : undefined };
}

/** Restores the class from the code. */
export function fromWorkerError(received: WorkerError): Error {
  const { text, code, property, remedies, replay, stack } = received;
  if (property !== undefined && replay !== undefined) return new ElectionError(text, { property, replay });
  if (code === 'HUSTINGS_ENVIRONMENT') return new EnvironmentError(text);
  if (code === 'HUSTINGS_INPUT' || code === 'HUSTINGS_ASSUMPTION')
    return new InputError(text, { code, remedies });
  if (code === 'HUSTINGS_CAPACITY') return new CapacityError(text);
  if (code !== undefined) return new HustingsError(text, { code });
  if (text.startsWith('RangeError: ')) return new RangeError(text.slice('RangeError: '.length));
  const error = new Error(text);
  if (stack !== undefined) error.stack = stack;
  return error;
}
