/** What floods and waves do with a message in hand: send it on to all neighbours but the one that it came from. */
import type { Messages, Params, Verbs } from '../../kernel/index.ts';

export function forwardToOthers(
  from: number,
  ctx: Pick<Verbs<Messages, Params, never>, 'degree' | 'forward'>,
): void {
  for (let port = 0; port < ctx.degree; port++) if (port !== from) ctx.forward(port);
}
