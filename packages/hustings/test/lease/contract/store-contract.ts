/**
 * What every lease store must do: one suite, run on each store. Names are new for each test, so one server with one set of
 * data serves all. If a lease must expire, the suite polls the store instead of relying on time.
 */
import { describe } from 'vitest';
import { acquireContract } from './acquire.ts';
import { candidatesContract } from './candidates.ts';
import { fairOrderContract } from './fair-order.ts';
import { historyContract } from './history.ts';
import { holdContract } from './hold.ts';
import { layoutContract } from './layout.ts';
import { listsContract } from './lists.ts';
import { namesContract } from './names.ts';
import { observedContract } from './observed.ts';
import { operatorContract } from './operator.ts';
import { pruneContract } from './prune.ts';
import { releaseContract } from './release.ts';
import { renewContract } from './renew.ts';
import { type StoreUnderTest, suiteFor } from './suite.ts';
import { termDataContract } from './term-data.ts';
import { ticksContract } from './ticks.ts';
import { togetherContract } from './together.ts';
import { tokensContract } from './tokens.ts';
import { watchContract } from './watch.ts';
import { wholeStoreContract } from './whole-store.ts';

export function storeContract(label: string, under: StoreUnderTest): void {
  describe(`the contract of a lease store: ${label}`, () => {
    const current = suiteFor(under);
    namesContract(current);
    acquireContract(current);
    renewContract(current);
    releaseContract(current);
    operatorContract(current);
    candidatesContract(current);
    fairOrderContract(current);
    holdContract(current);
    observedContract(current);
    tokensContract(current);
    listsContract(current);
    togetherContract(current);
    historyContract(current);
    watchContract(current, under.isSilent ?? false);
    ticksContract(current);
    termDataContract(current);
    wholeStoreContract(current);
    pruneContract(current);
    layoutContract(current);
  });
}
