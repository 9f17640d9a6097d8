/** Which member of an etcd cluster leads the others, and how that changes. */
import { EtcdClient } from '../../packages/hustings/src/lease/stores/etcd/etcd-client.ts';
import { etcdSettings } from '../../packages/hustings/src/lease/stores/etcd/etcd-settings.ts';
import type { TestServer } from './server-process.ts';

export class EtcdMember {
  readonly #client: EtcdClient;

  constructor({ url }: TestServer) {
    this.#client = new EtcdClient(etcdSettings(url));
  }

  /** The ids of this member, and of the member that leads as far as this one knows. */
  async status(): Promise<{ readonly id: string; readonly leader: string }> {
    type Status = { readonly header: { readonly member_id: string }; readonly leader: string };
    const { header, leader } = await this.#client.call<Status>('/v3/maintenance/status', {});
    return { id: header.member_id, leader };
  }

  /** Hands the lead over if this member has it; else nothing happens. */
  async transferLeadership(to: string): Promise<void> {
    await this.#client.call('/v3/maintenance/transfer-leadership', { targetID: to }).catch(() => undefined);
  }

  close(): void {
    this.#client.close();
  }
}
