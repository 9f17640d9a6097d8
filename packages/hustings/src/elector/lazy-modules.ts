/**
 * The modules that an elector loads when it first needs them, each once for all electors: an import of what is loaded still
 * takes tens of microseconds. A test waits for them before it moves its clock, because loading takes real time.
 */
export function once<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Promise<Module> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

export const lazyModules = {
  leading: once(() => import('./leading.ts')),
  leaderWatch: once(() => import('./leader-watch.ts')),
  slotViews: once(() => import('./slot-views.ts')),
  cooldown: once(() => import('./cooldown.ts')),
};
