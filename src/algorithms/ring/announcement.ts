/**
 * Word of the winner, once round a ring: who leads sends it clockwise, all others note it and pass it on, and where it
 * began it is swallowed. n messages; the last node knows n−1 hops after the leader, and word is home after n.
 */
import { announcement, id, type Law, type Role } from '../../kernel/index.ts';

const NEXT = 1;

export const elected = announcement(['id', id()]);

interface Winner {
  readonly id: number;
  decide(role: Role): void;
  send(port: number, type: 'elected', id: number): void;
}

export function announce(ctx: Winner): void {
  ctx.decide('leader');
  ctx.send(NEXT, 'elected', ctx.id);
}

interface Hearer {
  readonly id: number;
  decide(role: Role, leader: number): void;
  forward(port: number): void;
}

/** The handler of `elected`. */
export function passOn(
  _state: unknown,
  _port: number,
  { id }: { readonly id: number },
  ctx: Hearer,
): undefined {
  if (id === ctx.id) return;
  ctx.decide('follower', id);
  ctx.forward(NEXT);
}

export const announcedOnce: Law = {
  measure: 'announcement',
  kind: 'exact',
  formula: 'n',
  value: ({ n }) => n,
};
