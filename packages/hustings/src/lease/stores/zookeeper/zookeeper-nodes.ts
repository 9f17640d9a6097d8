/**
 * The nodes of a store, below the path of its URL:
 *
 *     settings           the layout, and the token that was raised for all elections
 *     election/NAME      the document of an election
 *     election/NAME/ID   tells its term from those of documents that were deleted, or overwritten by a backup
 *     holder/NAME        the node of its holder
 *     queue/NAME/…       the processes that watch it, in the order in which they came
 *     clock              set to learn what time it is
 */
import { type DocumentKey, SETTINGS } from '../document/document-server.ts';

export class ZookeeperNodes {
  readonly prefix: string;
  readonly elections: string;
  readonly clock: string;

  constructor(prefix: string) {
    this.prefix = prefix;
    this.elections = `${prefix}/election`;
    this.clock = `${prefix}/clock`;
  }

  /** The nodes that are above others, and those above the store: in the order in which they are created. */
  permanent(): string[] {
    const names = this.prefix.slice(1).split('/');
    const above = names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`);
    return [...above, this.elections, `${this.prefix}/holder`, `${this.prefix}/queue`, this.clock];
  }

  document(key: DocumentKey): string {
    return key === SETTINGS ? `${this.prefix}/settings` : `${this.elections}/${encoded(key)}`;
  }

  /** The node that exists as long as this incarnation of the document is the latest. */
  incarnation(key: DocumentKey, incarnation: string): string {
    return `${this.document(key)}/${incarnation}`;
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
