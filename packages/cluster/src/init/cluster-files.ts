/** Writes the files of a new cluster: the member list, and a secret or certificates. Nothing is overwritten. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HustingsError, InputError } from '@hustings/base';
import { checkMemberList, type MemberList } from '../member-list/member-list.ts';
import { identityUri } from '../wire/certificate-identity.ts';
import type { ClusterSecurity } from '../wire/security.ts';

const run = promisify(execFile);

/** A member file that a person can edit. */
export async function writeMemberFile(path: string, list: MemberList): Promise<void> {
  const { cluster, version, members } = checkMemberList(list);
  const lines = members.map((member) => `    ${JSON.stringify(member)}`).join(',\n');
  const head = `"cluster": ${JSON.stringify(cluster)},\n  "version": ${version}`;
  await create(path, `{\n  ${head},\n  "members": [\n${lines}\n  ]\n}\n`, 0o644);
}

/** 256 random bits, for the user of this process alone. */
export async function writeSecretFile(path: string): Promise<void> {
  await create(path, `${randomBytes(32).toString('hex')}\n`, 0o600);
}

async function create(path: string, text: string, mode: number): Promise<void> {
  try {
    await writeFile(path, text, { mode, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new InputError(`${path} exists already; remove it, or use another folder`, { cause: error });
  }
}

/** What a certificate of `writeTestCertificates` holds; the defaults are right ones. */
export interface TestCertificate {
  /** The name of its files: FOLDER/NAME.pem and FOLDER/NAME.key. */
  readonly name: string;
  /** Such as `URI:hustings://CLUSTER/ID`; null for none. */
  readonly subjectAltName: string | null;
  /** Days from now until it expires; a negative number for one that has expired. */
  readonly days?: number | undefined;
}

/** The certificate of a member of this cluster. */
export const memberCertificate = (cluster: string, id: number): TestCertificate => ({
  name: `member-${id}`,
  subjectAltName: `URI:${identityUri(cluster, id)}`,
});

/**
 * A certificate authority and certificates that it has signed, for tests: its key lies beside them. It needs openssl.
 * Node cannot sign certificates.
 */
export async function writeTestCertificates(
  folder: string,
  certificates: readonly TestCertificate[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const place = (name: string): string => join(folder, name);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const authority = ['-x509', '-subj', '/CN=hustings test authority', '-days', '30'];
  await openssl(['req', ...authority, ...key, '-keyout', place('ca.key'), '-out', place('ca.pem')]);
  for (const { name, subjectAltName, days = 30 } of certificates) {
    const request = place(`${name}.csr`);
    const extensions = place(`${name}.ext`);
    await openssl([
      'req',
      '-new',
      '-subj',
      `/CN=${name}`,
      ...key,
      '-keyout',
      place(`${name}.key`),
      '-out',
      request,
    ]);
    await writeFile(extensions, subjectAltName === null ? '' : `subjectAltName=${subjectAltName}\n`);
    const signer = [
      '-CA',
      place('ca.pem'),
      '-CAkey',
      place('ca.key'),
      '-set_serial',
      `0x${randomBytes(8).toString('hex')}`,
    ];
    const files = ['-in', request, '-out', place(`${name}.pem`), '-extfile', extensions];
    await openssl(['x509', '-req', ...files, ...signer, '-days', `${days}`]);
    await Promise.all([rm(request), rm(extensions)]);
  }
}

async function openssl(args: readonly string[]): Promise<void> {
  try {
    await run('openssl', args);
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    const why =
      code === 'ENOENT'
        ? 'openssl is not installed; install it, or use a secret instead of certificates'
        : `openssl failed: ${stderr?.trim().split('\n').at(-1)}`;
    throw new HustingsError(`no test certificates can be written: ${why}`, {
      code: 'HUSTINGS_OPENSSL',
      cause: error,
    });
  }
}

/** The security options of a member from the files of `writeTestCertificates`. */
export async function readCertificates(folder: string, name: string): Promise<ClusterSecurity> {
  const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
  const [ca, certificate, key] = await Promise.all([
    read('ca.pem'),
    read(`${name}.pem`),
    read(`${name}.key`),
  ]);
  return { type: 'tls', ca, certificate, key };
}
