/** An error as it goes from one thread to another, where its class is lost, and the same error again. */
import { CapacityError, ElectionError, HustingsError, InputError } from '../../kernel/index.ts';
import { EnvironmentError } from '../exit.ts';

export interface WorkerError {
  readonly text: string;
  readonly code?: string;
  /** Of an election that failed. */
  readonly property?: string;
  readonly replay?: string;
  readonly stack?: string | undefined;
}

export function toWorkerError(error: unknown): WorkerError {
  if (error instanceof ElectionError) {
    const { message, code, property, replay } = error;
    return { text: message, code, property, replay };
  }
  if (error instanceof HustingsError) return { text: error.message, code: error.code };
  return { text: String(error), stack: error instanceof Error ? error.stack : undefined };
}

/** Of the class that its code names. */
export function fromWorkerError({ text, code, property, replay, stack }: WorkerError): Error {
  if (property !== undefined && replay !== undefined) return new ElectionError(text, { property, replay });
  if (code === 'HUSTINGS_ENVIRONMENT') return new EnvironmentError(text);
  if (code === 'HUSTINGS_INPUT' || code === 'HUSTINGS_ASSUMPTION') return new InputError(text, { code });
  if (code === 'HUSTINGS_CAPACITY') return new CapacityError(text);
  if (code !== undefined) return new HustingsError(text, { code });
  if (text.startsWith('RangeError: ')) return new RangeError(text.slice('RangeError: '.length));
  const error = new Error(text);
  if (stack !== undefined) error.stack = stack;
  return error;
}
