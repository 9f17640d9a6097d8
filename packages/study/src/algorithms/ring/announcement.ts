/**
 * The announcement on a ring. The leader sends `elected` clockwise, every other node decides and forwards it, and the
 * leader discards it when it returns. It takes n messages. In lockstep the last node decides n−1 units after the
 * leader, and the announcement returns after n.
 */
import { announcement, exact, id, type Law, type Role } from '../../kernel/index.ts';

const NEXT = 1;

export const elected = announcement(['id', id()]);

interface Leader {
  readonly id: number;
  decide(role: Role): void;
  send(port: number, type: 'elected', id: number): void;
}

export function announce(ctx: Leader): void {
  ctx.decide('leader');
  ctx.send(NEXT, 'elected', ctx.id);
}

interface Receiver {
  readonly id: number;
  decide(role: Role, leader: number): void;
  forward(port: number): void;
}

/** The handler of `elected`. */
export function forwardElected(
  _state: unknown,
  _port: number,
  { id }: { readonly id: number },
  ctx: Receiver,
): undefined {
  if (id === ctx.id) return;
  ctx.decide('follower', id);
  ctx.forward(NEXT);
}

export const announcementLaw: Law = exact('announcement', 'n', ({ n }) => n);
