/** Leases in Kubernetes: the door `hustings/lease/kubernetes`. */
export type * from '../../store-interface.ts';
export { KubernetesLeaseStore, type KubernetesStoreOptions } from './kubernetes-lease-store.ts';
