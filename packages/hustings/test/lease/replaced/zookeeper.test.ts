import { copyData, restoreData } from '../../../../../test-kit/servers/data-copy.ts';
import { describeWith, startZookeeper, type TestServer } from '../../../../../test-kit/servers/index.ts';
import { openStore } from '../../../src/lease/open-store.ts';
import { deleteNodes } from '../faults/zookeeper-faults.ts';
import { replacedStore } from './replaced-store.ts';

await describeWith('zkServer.sh', 'a ZooKeeper store that was replaced', () => {
  replacedStore('ZooKeeper', {
    start: () => startZookeeper(),
    stop: (server: TestServer) => server.stop(),
    // So short that a client soon begins another session where the server has forgotten its own.
    open: ({ server }) => openStore(`${server.url}?sessionTimeoutMs=1500`),
    replacements: {
      'all nodes are deleted': { replace: deleteNodes },
      'an older copy of the data is restored': { backUp: copyData, replace: restoreData },
    },
  });
});
