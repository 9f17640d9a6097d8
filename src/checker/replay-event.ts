/** What happens in a replayed run, in the words of a trace: `time` is the number of the step, 0 before the first. */
import type { Role } from '../kernel/context.ts';

/** Type and fields by name. */
export type ReplayedMessage = Readonly<Record<string, unknown>> & { readonly type: string };

export type ReplayEvent = { readonly time: number; readonly node: number } & (
  | { readonly kind: 'start' | 'crash' | 'recover' }
  | { readonly kind: 'send'; readonly to: number; readonly port: number; readonly message: ReplayedMessage }
  | {
      readonly kind: 'deliver' | 'undelivered';
      /** The other end: the sender, or the receiver that was dead. */
      readonly from: number;
      readonly port: number;
      /** The step in which it was sent. */
      readonly sent: number;
      readonly message: ReplayedMessage;
    }
  | {
      readonly kind: 'lost';
      readonly from: number;
      readonly sent: number;
      readonly reason: 'receiver dead' | 'link lossy';
      readonly message: ReplayedMessage;
    }
  | { readonly kind: 'timer'; readonly timer: string }
  | { readonly kind: 'decide'; readonly role: Role; readonly leader: number | null; readonly term: number }
);
