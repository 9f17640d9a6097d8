/** The pages, each loaded when it is first shown. */

import { errorMessage } from '@hustings/base';
import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PageName } from '../../model/setup/url-state.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { PageHeading } from './page-heading.tsx';

export interface PageEntry {
  readonly title: string;
  /** The key after G. */
  readonly key: string;
  readonly load: () => Promise<{ default: FunctionComponent }>;
}

export const PAGE_ENTRIES: Readonly<Record<PageName, PageEntry>> = {
  run: { title: 'Run', key: 'R', load: () => import('../run/run-page.tsx') },
  check: { title: 'Check', key: 'C', load: () => import('../check/check-page.tsx') },
  compare: { title: 'Compare', key: 'O', load: () => import('../compare/compare-page.tsx') },
  write: { title: 'Write', key: 'W', load: () => import('../write/write-page.tsx') },
  learn: { title: 'Learn', key: 'L', load: () => import('../learn/learn-page.tsx') },
  leases: { title: 'Leases', key: 'E', load: () => import('../leases/leases-page.tsx') },
  cluster: { title: 'Cluster', key: 'U', load: () => import('../cluster/cluster-page.tsx') },
};

const loaded = signal<Readonly<Partial<Record<PageName, FunctionComponent>>>>({});
const failed = signal<Readonly<Partial<Record<PageName, string>>>>({});

async function load(name: PageName): Promise<void> {
  try {
    const { default: page } = await PAGE_ENTRIES[name].load();
    loaded.value = { ...loaded.peek(), [name]: page };
  } catch (error) {
    failed.value = { ...failed.peek(), [name]: errorMessage(error) };
  }
}

export function Page({ name }: { readonly name: PageName }) {
  const Loaded = loaded.value[name];
  useEffect(() => {
    if (loaded.peek()[name] === undefined) void load(name);
  }, [name]);
  if (Loaded !== undefined) return <Loaded />;
  const reason = failed.value[name];
  if (reason === undefined) return <div class="loading-line" />;
  return (
    <>
      <PageHeading>{PAGE_ENTRIES[name].title} could not be loaded.</PageHeading>
      <Notice kind="error" text={`${reason}. If the server was stopped, start it again, then reload.`}>
        <Button kind="main" onClick={() => location.reload()}>
          Reload
        </Button>
      </Notice>
    </>
  );
}
