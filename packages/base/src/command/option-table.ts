/** The options of a command as a table: the syntax of each option with its help. The type of the flags follows from it. */
import { type Command, Option } from 'commander';

interface OptionEntry {
  readonly help: string;
  readonly repeatable?: true;
  readonly conflicts?: readonly string[];
}

export type OptionTable = Readonly<Record<string, string | OptionEntry>>;

/** An option that may be given several times. */
export function repeatable<H extends string>(help: H): { readonly help: H; readonly repeatable: true } {
  return { help, repeatable: true };
}

type CamelCase<T extends string> = T extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : T;
type NameOf<K> = K extends `--${infer Name} ${string}` | `--${infer Name}` ? CamelCase<Name> : never;
type ValueOf<K, Entry> = Entry extends { readonly repeatable: true }
  ? readonly string[]
  : K extends `${string} <${string}`
    ? string
    : K extends `${string} [${string}`
      ? string | true
      : true;

/** The flags as commander parses them. */
export type FlagsOf<Table extends OptionTable> = {
  readonly [K in keyof Table as NameOf<K>]?: ValueOf<K, Table[K]>;
};

export function addOptions(command: Command, table: OptionTable): Command {
  for (const [syntax, entry] of Object.entries(table)) {
    const { help, ...rest }: OptionEntry = typeof entry === 'string' ? { help: entry } : entry;
    const option = new Option(syntax, rest.repeatable ? `${help}; repeatable` : help);
    if (rest.repeatable) option.argParser((text, before: readonly string[] = []) => [...before, text]);
    command.addOption(option.conflicts([...(rest.conflicts ?? [])]));
  }
  return command;
}
