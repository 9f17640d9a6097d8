/** Examines an API server: its version, and the rights of the user, as the server itself judges them. */
import type { Probe } from '../../lease-store.ts';
import { ROLE_RULE } from './kubernetes-error.ts';
import type { ApiReply, KubernetesRequests } from './kubernetes-requests.ts';

const NEEDED = ['get', 'create', 'update'] as const;
/** The rights without which something is missing, but leases work. */
const USEFUL = {
  watch: 'without watch, waiting candidates are not notified of a release and ask more often',
  list: 'without list, elections cannot be listed',
  delete: 'without delete, idle elections cannot be pruned',
} as const;

export async function probeKubernetes(requests: KubernetesRequests): Promise<Omit<Probe, 'clockOffsetMs'>> {
  const namespace = await requests.namespace();
  const ask = async (path: string, body?: object): Promise<ApiReply> => {
    const reply = await requests.send({
      method: body === undefined ? 'GET' : 'POST',
      path,
      ...(body === undefined ? {} : { body }),
    });
    if (reply.status < 300) return reply;
    throw requests.refusal(reply, { verb: 'get', object: '', namespace });
  };
  await ask('/version');
  const startMs = performance.now();
  const version = await ask('/version');
  const roundTripMs = performance.now() - startMs;
  const warnings: string[] = [];
  const review = async (verb: string): Promise<boolean> => {
    const { body } = await ask('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { namespace, verb, group: 'coordination.k8s.io', resource: 'leases' } },
    });
    return (body?.status as { readonly allowed?: boolean } | undefined)?.allowed === true;
  };
  const missing: string[] = [];
  for (const verb of NEEDED) if (!(await review(verb))) missing.push(verb);
  if (missing.length > 0) {
    // No problem: a role that names its objects is judged by the trial lease.
    warnings.push(
      `The user may not ${missing.join(', ')} every Lease in the namespace ${namespace}. That is enough only for elections ` +
        `that a role names with resourceNames. Otherwise add to a Role: ${ROLE_RULE}.`,
    );
  }
  const useful: [string, string][] = [];
  for (const [verb, effect] of Object.entries(USEFUL)) if (!(await review(verb))) useful.push([verb, effect]);
  if (useful.length > 0) {
    warnings.push(
      `The user may not ${useful.map(([verb]) => verb).join(', ')} every Lease in the namespace ${namespace}: ` +
        `${useful.map(([, effect]) => effect).join('; ')}. Add to a Role: ${ROLE_RULE}.`,
    );
  }
  return {
    server: `Kubernetes ${version.body?.gitVersion ?? 'of an unknown version'}`,
    roundTripMs,
    problems: [],
    warnings,
  };
}
