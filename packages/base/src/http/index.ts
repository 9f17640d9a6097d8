/** What the servers on loopback share: the lab, the sidecar and a member of a cluster. */
export * from './connection-limit.ts';
export * from './event-stream.ts';
export * from './listen.ts';
export * from './listen-on-socket.ts';
export * from './message.ts';
export * from './request-guard.ts';
