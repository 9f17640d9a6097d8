import { useEffect, useMemo } from 'preact/hooks';
import { RunModel } from '../../model/run/run-model.ts';
import { findAlgorithm } from '../../model/setup/algorithm-list.ts';
import { RunStore } from '../run/run-store.ts';
import { Button } from '../shell/button.tsx';
import { Notice } from '../shell/notice.tsx';
import { setup } from '../shell/router.ts';
import { NetworkView } from '../views/network-view.tsx';
import { SpaceTime } from '../views/space-time.tsx';

const NODES = 8;

/** Two runs with the same ids and the same schedule, in step by time. */
export function SideBySide({ algorithms }: { readonly algorithms: readonly string[] }) {
  const pair = algorithms.slice(0, 2);
  const { nodes = NODES, order, schedule, seed } = setup.value;
  const key = JSON.stringify([pair, nodes, order, schedule, seed]);
  const stores = useMemo(
    () =>
      pair.map((name) => {
        const algorithm = findAlgorithm(name);
        if (algorithm === undefined) return { name, store: null, text: 'there is no such algorithm' };
        try {
          const options = { nodes: Math.min(nodes, 16), order, schedule, seed };
          const store = new RunStore(RunModel.of(algorithm, options));
          store.axis.value = 'units';
          return { name, store, text: '' };
        } catch (error) {
          return { name, store: null, text: (error as Error).message };
        }
      }),
    [key],
  );
  useEffect(
    () => () => {
      for (const { store } of stores) store?.dispose();
    },
    [stores],
  );
  const runs = stores.flatMap(({ store }) => (store === null ? [] : [store]));
  const end = Math.max(0, ...runs.map(({ model }) => model.timeAt(model.length)));
  const now = Math.max(0, ...runs.map(({ snapshot }) => snapshot.value.time));
  const seek = (time: number): void => {
    for (const store of runs) store.seekPlace(time);
  };
  return (
    <section class="side-by-side" aria-label="Two runs in step">
      <header>
        <h2>In step</h2>
        <span class="caption">
          the first two, with the same ids and schedule; one unit is the longest delay of a message
        </span>
        <Button aria-label="One unit back" onClick={() => seek(Math.max(0, Math.ceil(now) - 1))}>
          ◀
        </Button>
        <input
          type="range"
          aria-label="Time"
          min={0}
          max={end}
          step={0.01}
          value={now}
          onInput={({ currentTarget }) => seek(currentTarget.valueAsNumber)}
        />
        <Button aria-label="One unit forward" onClick={() => seek(Math.floor(now) + 1)}>
          ▶
        </Button>
      </header>
      <div class="pair">
        {stores.map(({ name, store, text }) => (
          <div key={name}>
            <h3>{findAlgorithm(name)?.title}</h3>
            {store === null ? (
              <Notice kind="empty" text={`This run is not possible: ${text}.`} />
            ) : (
              <>
                <p class="caption">{messagesText(store)}</p>
                <div class="pair-network">
                  <NetworkView store={store} narration={messagesText(store)} maxText={13} />
                </div>
                <div class="pair-view">
                  <SpaceTime store={store} isPlain />
                </div>
              </>
            )}
          </div>
        ))}
      </div>
    </section>
  );
}

function messagesText({ model, snapshot }: RunStore): string {
  const { position, time } = snapshot.value;
  const sent = Object.values(model.trace().sentBefore(position)).reduce((sum, count) => sum + count, 0);
  return `${sent} messages sent at time ${Number(time.toFixed(2))}`;
}
