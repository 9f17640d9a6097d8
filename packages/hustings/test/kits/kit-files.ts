/** The files of kits/, as tests read them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../../test/source/source-file.ts';
import { parseBlockYaml } from '../../src/lease/stores/kubernetes/block-yaml.ts';

export const readKit = (path: string): string => readFileSync(join(ROOT, 'kits', path), 'utf8');

/** An object of Kubernetes. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  // biome-ignore lint/suspicious/noExplicitAny: objects have many forms
  readonly [key: string]: any;
}

/** The documents of a YAML file. */
export function manifestsOf(text: string): Manifest[] {
  return text.split(/^---$/m).map((document) => typed(parseBlockYaml(document)) as Manifest);
}

/** The parser makes all plain scalars text. No manifest has a text that looks like a number. */
function typed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typed);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, typed(each)]));
  }
  if (value === 'true' || value === 'false') return value === 'true';
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

/** The verbs on leases that the kit grants. */
export function verbsOf(manifests: readonly Manifest[]): string[] {
  const role = manifests.find(({ kind }) => kind === 'Role');
  return role!.rules[0].verbs;
}
