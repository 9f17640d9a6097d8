/** Transports of mutant runtimes. */
import type { MemberRuntime } from '../src/runtime/member-runtime.ts';
import type { Frame, Transport, TransportEvents } from '../src/transport.ts';

/** A transport whose events pass through `change` before they reach the runtime. */
function altered(
  transport: Transport,
  change: (events: TransportEvents) => Partial<TransportEvents>,
): Transport {
  return {
    open: (events) => transport.open({ ...events, ...change(events) }),
    send: (to, frame) => transport.send(to, frame),
    reset: (to) => transport.reset(to),
    close: () => transport.close(),
  };
}

/** Takes messages of other epochs for those of the present one. */
export function dropsEpochs(transport: Transport, runtime: () => MemberRuntime): Transport {
  return altered(transport, (events) => ({
    onFrame: (from, frame) => {
      const { epoch } = runtime().status;
      const now = epoch === null ? {} : { epoch: epoch.number, proposer: epoch.proposer };
      events.onFrame(from, frame.type === 'message' ? ({ ...frame, ...now } as Frame) : frame);
    },
  }));
}

/** Holds each message back until the next one from the same peer has passed it, or until two signs of life without one. */
export function ignoresOrder(transport: Transport): Transport {
  const held = new Map<number, { readonly frame: Frame; signs: number }>();
  const release = (events: TransportEvents, from: number): void => {
    const waiting = held.get(from);
    held.delete(from);
    if (waiting !== undefined) events.onFrame(from, waiting.frame);
  };
  return altered(transport, (events) => ({
    onFrame: (from, frame) => {
      if (frame.type === 'message' && !held.has(from)) held.set(from, { frame, signs: 0 });
      else {
        events.onFrame(from, frame);
        release(events, from);
      }
    },
    onSignOfLife: (from) => {
      events.onSignOfLife(from);
      const waiting = held.get(from);
      // The first may belong to the frame that passes.
      if (waiting !== undefined && ++waiting.signs === 2) release(events, from);
    },
  }));
}
