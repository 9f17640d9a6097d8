/** The Cluster page: a running cluster live, or the recordings of one. */
import './cluster.css';
import { useEffect, useState } from 'preact/hooks';
import { readSession } from '../shell/live-stream.ts';
import { Notice } from '../shell/notice.tsx';
import { PageHeading } from '../shell/page-heading.tsx';
import { LiveCluster } from './live-cluster.tsx';
import { Recording } from './recording.tsx';

type Kind = 'asking' | 'cluster' | 'recording' | 'absent';

export default function ClusterPage() {
  const [kind, setKind] = useState<Kind>('asking');
  useEffect(() => {
    let isShown = true;
    const kindOf = async (): Promise<Kind> => {
      const apis = (await readSession())?.apis ?? [];
      return apis.includes('cluster') ? 'cluster' : apis.includes('recording') ? 'recording' : 'absent';
    };
    void kindOf()
      .catch((): Kind => 'absent')
      .then((found) => {
        if (isShown) setKind(found);
      });
    return () => {
      isShown = false;
    };
  }, []);
  if (kind === 'cluster') return <LiveCluster />;
  if (kind === 'recording') return <Recording />;
  if (kind === 'asking') return <PageHeading>Clusters: elections between real processes.</PageHeading>;
  return <Absent />;
}

function Absent() {
  return (
    <>
      <PageHeading>A cluster: the same algorithms between real processes.</PageHeading>
      <Notice
        kind="empty"
        text={
          <>
            Run <code>npx hustings cluster --nodes 5 --algorithm bully</code> in a terminal. It starts five
            processes, and prints the command that shows them here:{' '}
            <code>npx hustings lab --cluster FILE</code>. A run that was recorded with{' '}
            <code>--record DIR</code> is shown by <code>npx hustings lab --recording DIR</code>.
          </>
        }
      />
    </>
  );
}
