/** `hustings/cluster`: the algorithms between real processes. */
export * from './init/cluster-files.ts';
export {
  type ClusterMember,
  checkMemberList,
  type MemberList,
  MemberListError,
  memberListDigest,
  parseMemberList,
} from './member-list/member-list.ts';
export { readMemberRecord, writeMemberRecord } from './member-list/member-record.ts';
export * from './transport.ts';
export { ClusterListenError } from './wire/listener.ts';
export type { RefusalReason, WireEvent } from './wire/refusal.ts';
export type { ClusterSecurity } from './wire/security.ts';
export { TcpTransport } from './wire/tcp-transport.ts';
export type { WireOptions } from './wire/wire-options.ts';
