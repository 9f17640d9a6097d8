/** The same algorithm without some of its sends: as if a line were deleted. */
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: the context of any algorithm
type Loose = any;

/** `isDropped` gets the context of the sender, the port, and the type and the fields of the message. */
export function withoutSends(
  algorithm: AnyAlgorithm,
  isDropped: (ctx: Loose, port: number, type: string, ...fields: number[]) => boolean,
): AnyAlgorithm {
  const censored = (ctx: Loose): Loose =>
    new Proxy(ctx, {
      get(target, key) {
        const value = target[key];
        if (typeof value !== 'function') return value;
        return (...args: Loose[]) =>
          key === 'send' && isDropped(ctx, args[0], args[1], ...args.slice(2))
            ? undefined
            : value.apply(target, args);
      },
    });
  /** The context is the last argument of every handler. */
  const wrap = (handler: Loose): Loose =>
    handler && ((...args: Loose[]) => handler(...args.slice(0, -1), censored(args.at(-1))));
  const on = Object.fromEntries(Object.entries(algorithm.on).map(([type, handler]) => [type, wrap(handler)]));
  const { onRestart, onStart, onTimer, onUndelivered } = algorithm;
  return {
    ...algorithm,
    on,
    onStart: wrap(onStart),
    ...(onRestart && { onRestart: wrap(onRestart) }),
    ...(onTimer && { onTimer: wrap(onTimer) }),
    ...(onUndelivered && { onUndelivered: wrap(onUndelivered) }),
  };
}
