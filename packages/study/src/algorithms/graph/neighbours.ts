/** Forwarding to all neighbours except the sender, as floods and waves do. */

/** The part of a context that forwarding needs. */
export interface Forwarder {
  readonly degree: number;
  forward(port: number): void;
}

export function forwardToOthers(from: number, ctx: Forwarder): void {
  for (let port = 0; port < ctx.degree; port++) if (port !== from) ctx.forward(port);
}
