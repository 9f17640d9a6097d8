/** A verb of the command line, as a package registers it. */
import type { Command } from 'commander';

export interface Verb {
  /** The heading under which `hustings --help` lists it. */
  readonly group: string;
  /** The line of the verb in that list. */
  readonly summary: string;
  /** Loads the verb's module, and returns the function that adds the verb to the program. */
  readonly load: () => Promise<(program: Command) => void>;
}

/** The verbs of a package by name. Each is loaded only when it is used. */
export type VerbTable = Readonly<Record<string, Verb>>;
