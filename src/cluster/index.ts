/** `hustings/cluster`: the algorithms between real processes. */
export * from './transport.ts';
