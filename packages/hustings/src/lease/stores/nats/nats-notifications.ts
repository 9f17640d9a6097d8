/**
 * Notifications by messages of NATS that are not kept. The store believes in them after one of its own has come back, and as
 * long as that connection stands.
 */
import type { Subscription } from '@nats-io/transport-node';
import { Watchers } from '../watchers.ts';
import type { NatsAccess, NatsBucket } from './nats-connection.ts';

const AGAIN_MS = 1_000;
const TEST = 'test';

export class NatsNotifications {
  readonly #access: NatsAccess;
  /** The subjects are this, a dot and the token of a name. */
  readonly #subject: string;
  readonly #watchers = new Watchers();
  #subscription: Subscription | null = null;
  #isPushing = false;
  #timer: NodeJS.Timeout | null = null;
  #isOpening = false;

  constructor(access: NatsAccess, subject: string) {
    this.#access = access;
    this.#subject = subject;
  }

  get isPushing(): boolean {
    return this.#isPushing;
  }

  /** `token` is the part of a subject that stands for the election. */
  add(token: string, onNotification: () => void): () => void {
    const end = this.#watchers.add(token, onNotification, () => {
      if (this.#watchers.isEmpty) this.close();
    });
    this.#check();
    return end;
  }

  publish({ connection }: NatsBucket, token: string): void {
    connection.publish(`${this.#subject}.${token}`);
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#subscription?.unsubscribe();
    this.#subscription = null;
    this.#isPushing = false;
  }

  /** Subscribes if there is no subscription. The client library subscribes again after it has reconnected. */
  #check(): void {
    if (this.#timer === null) {
      this.#timer = setInterval(() => this.#check(), AGAIN_MS);
      this.#timer.unref();
    }
    if (this.#subscription !== null || this.#isOpening) return;
    this.#isOpening = true;
    this.#access
      .use(async (bucket) => this.#subscribe(bucket))
      .catch(() => undefined)
      .finally(() => {
        this.#isOpening = false;
      });
  }

  #subscribe(bucket: NatsBucket): void {
    const { connection } = bucket;
    if (this.#timer === null) return;
    const subscription = connection.subscribe(`${this.#subject}.>`, {
      callback: (error, message) => {
        if (error !== null) return this.#lost(subscription);
        const token = message.subject.slice(this.#subject.length + 1);
        if (token === TEST) this.#isPushing = this.#subscription === subscription;
        this.#watchers.notify(token);
      },
    });
    this.#subscription = subscription;
    subscription.closed.then(
      () => this.#lost(subscription),
      () => this.#lost(subscription),
    );
    void this.#follow(bucket, subscription);
    this.publish(bucket, TEST);
  }

  async #follow(bucket: NatsBucket, subscription: Subscription): Promise<void> {
    for await (const { type } of bucket.connection.status()) {
      if (this.#subscription !== subscription) return;
      if (type === 'disconnect') this.#isPushing = false;
      if (type !== 'reconnect') continue;
      this.publish(bucket, TEST);
      // What happened meanwhile is not known.
      this.#watchers.notifyAll();
    }
  }

  #lost(subscription: Subscription): void {
    if (this.#subscription !== subscription) return;
    this.#subscription = null;
    this.#isPushing = false;
  }
}
