/** Loads the client library of a store. It is an optional peer dependency: a missing one gives the line that installs it. */
import { StoreError } from '../core/store-error.ts';

export async function loadClient<Library>(
  load: () => Promise<Library>,
  name: string,
  scheme: string,
): Promise<Library> {
  try {
    return await load();
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new StoreError(
      'unusable',
      `a ${scheme}:// store needs the package ${name}, which is not installed: npm install ${name}`,
    );
  }
}
