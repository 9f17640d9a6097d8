import { InputError } from '../hustings-error.ts';
import { parseNumber } from '../option-value.ts';

/** The value of --port, or of another flag. */
export function readPort(text: string, option = 'port'): number {
  const port = parseNumber(option, text, 'a whole number from 0 to 65535');
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InputError(`--${option} must be a whole number from 0 to 65535, not ${text}`);
}
