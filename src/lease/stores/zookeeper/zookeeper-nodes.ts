/**
 * The nodes of a store, below the path of its URL:
 *
 *     settings           the layout, and the token that was raised for all elections
 *     removals           its version counts the elections that were deleted
 *     election/NAME      the document of an election
 *     holder/NAME        the node of its holder
 *     queue/NAME/…       the processes that watch it, in the order in which they came
 */
import { type DocumentKey, SETTINGS } from '../document/document-server.ts';

export class ZookeeperNodes {
  readonly prefix: string;
  readonly removals: string;
  readonly elections: string;

  constructor(prefix: string) {
    this.prefix = prefix;
    this.removals = `${prefix}/removals`;
    this.elections = `${prefix}/election`;
  }

  /** The nodes that are above others, and those above the store: in the order in which they are created. */
  permanent(): string[] {
    const names = this.prefix.slice(1).split('/');
    const above = names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`);
    return [...above, this.elections, `${this.prefix}/holder`, `${this.prefix}/queue`, this.removals];
  }

  document(key: DocumentKey): string {
    return key === SETTINGS ? `${this.prefix}/settings` : `${this.elections}/${encoded(key)}`;
  }

  holder(name: string): string {
    return `${this.prefix}/holder/${encoded(name)}`;
  }

  queue(name: string): string {
    return `${this.prefix}/queue/${encoded(name)}`;
  }

  /** The election of a node below `elections`. */
  nameOf(node: string): string {
    return decodeURIComponent(node);
  }
}

/** The name of a node has no slash or control character, and is not . or .. */
function encoded(name: string): string {
  const text = encodeURIComponent(name);
  return /^\.+$/.test(text) ? text.replaceAll('.', '%2E') : text;
}
