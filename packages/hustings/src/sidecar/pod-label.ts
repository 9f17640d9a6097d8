/**
 * Keeps a label on the own pod while the service leads, so that a Kubernetes Service selects the leader.
 *
 * Compares and corrects: at every change, at the start (a label may be left of a sidecar that was killed) and at an interval.
 * The label follows the lease as soon as the API server answers. It routes requests; it does not exclude a second leader.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { firstLine, InputError } from '@hustings/base';
import { AccessSource } from '../lease/stores/kubernetes/access-source.ts';
import { type ApiReply, KubernetesRequests } from '../lease/stores/kubernetes/kubernetes-requests.ts';
import { kubernetesSettings } from '../lease/stores/kubernetes/kubernetes-settings.ts';
import type { TermObserver } from './campaign.ts';

export interface PodLabelOptions {
  /** KEY=VALUE. */
  readonly label: string;
  readonly pod: string;
  /** The URL of a Kubernetes store: the namespace of the pod, and the credentials. */
  readonly url: string;
  readonly warn: (message: string) => void;
  /** How often the label is compared with what it should be. */
  readonly everyMs?: number;
}

/** The rights that the label needs, as a line of a Role. */
export const POD_ROLE_RULE = '{apiGroups: [""], resources: [pods], verbs: [get, patch]}';

const COMPARE_EVERY_MS = 15_000;
const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 5_000;
const KEY = /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const VALUE = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

export class PodLabel implements TermObserver {
  readonly #requests: KubernetesRequests;
  readonly #key: string;
  readonly #value: string;
  #isWanted = false;
  /** Counts the changes of what is wanted: a comparison that was overtaken is repeated. */
  #changes = 0;
  #settled = -1;
  #retryMs = FIRST_RETRY_MS;
  /** The problem that was told; null after a success. */
  #problem: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #comparing: Promise<void> | null = null;
  #isClosed = false;

  constructor(private readonly options: PodLabelOptions) {
    const [key, value = '', ...rest] = options.label.split('=');
    if (rest.length > 0 || !KEY.test(key) || !VALUE.test(value)) {
      throw new InputError(
        `the label must be KEY=VALUE, such as role=leader, not ${JSON.stringify(options.label)}`,
      );
    }
    this.#key = key;
    this.#value = value;
    const settings = kubernetesSettings(options.url);
    this.#requests = new KubernetesRequests(settings, new AccessSource(settings));
  }

  start(): void {
    void this.#compare();
  }

  elected(): void {
    this.#want(true);
  }

  over(): void {
    this.#want(false);
  }

  /** Removes the label, unless that takes longer than `maxMs`. */
  async close(maxMs: number): Promise<void> {
    this.#want(false);
    const endMs = performance.now() + maxMs;
    while (this.#settled !== this.#changes && performance.now() < endMs) {
      await Promise.race([this.#compare(), pause(Math.min(FIRST_RETRY_MS, maxMs))]);
    }
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#requests.close();
  }

  #want(isWanted: boolean): void {
    this.#isWanted = isWanted;
    this.#changes++;
    this.#retryMs = FIRST_RETRY_MS;
    void this.#compare();
  }

  /** One at a time, in order: a request that was overtaken cannot undo a later one. */
  #compare(): Promise<void> {
    this.#comparing ??= this.#compareOnce().finally(() => {
      this.#comparing = null;
      this.#plan();
    });
    return this.#comparing;
  }

  #plan(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#isClosed) return;
    let delayMs = this.options.everyMs ?? COMPARE_EVERY_MS;
    if (this.#settled !== this.#changes) {
      delayMs = this.#problem === null ? 0 : this.#retryMs;
      this.#retryMs = Math.min(MAX_RETRY_MS, 2 * this.#retryMs);
    }
    this.#timer = setTimeout(() => void this.#compare(), delayMs).unref();
  }

  async #compareOnce(): Promise<void> {
    const changes = this.#changes;
    const isWanted = this.#isWanted;
    try {
      const path = `/api/v1/namespaces/${await this.#requests.namespace()}/pods/${encodeURIComponent(this.options.pod)}`;
      const found = this.#checked(await this.#requests.send({ method: 'GET', path }), 'get');
      const metadata = found?.metadata as { readonly labels?: Readonly<Record<string, string>> } | undefined;
      const isThere = metadata?.labels?.[this.#key] === this.#value;
      if (isThere !== isWanted) {
        const labels = { [this.#key]: isWanted ? this.#value : null };
        const body = { metadata: { labels } };
        this.#checked(await this.#requests.send({ method: 'PATCH', path, body }), 'patch');
      }
      this.#settled = changes;
      this.#problem = null;
      this.#retryMs = FIRST_RETRY_MS;
    } catch (error) {
      this.#settled = -1;
      const { message } = error as Error;
      // Once, and again if it is another one: an operator may have added one right of two.
      if (message !== this.#problem && !this.#isClosed) this.options.warn(message);
      this.#problem = message;
    }
  }

  #checked({ status, body }: ApiReply, verb: 'get' | 'patch'): ApiReply['body'] {
    if (status === 200) return body;
    const { pod } = this.options;
    const said =
      typeof body?.message === 'string' ? firstLine(body.message).slice(0, 300) : `status ${status}`;
    const advice =
      status === 403
        ? `add to a Role of its namespace, and bind it: ${POD_ROLE_RULE}`
        : status === 404
          ? 'give the name of the own pod'
          : 'the sidecar tries again';
    throw new Error(`the label of the pod ${pod} cannot be set ("${verb}": ${said}); ${advice}`);
  }
}
