/** What floods and waves do with a message in hand: send it on to all neighbours but the one that it came from. */

/** What of a context that takes. */
export interface Forwarder {
  readonly degree: number;
  forward(port: number): void;
}

export function forwardToOthers(from: number, ctx: Forwarder): void {
  for (let port = 0; port < ctx.degree; port++) if (port !== from) ctx.forward(port);
}
