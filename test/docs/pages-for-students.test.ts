import { runPages } from './run-pages.ts';

runPages({
  'docs/your-own-election.md': [],
  'docs/checked.md': [],
  'docs/handlers.md': [],
  'docs/simulator.md': [],
  'docs/checker.md': [],
  'docs/reproduce.md': [],
  'docs/sweeps.md': [/^16 [\d.]+ \[ [\d.]+, [\d.]+ \]\n64 /],
  'docs/worst-runs.md': [/10 true/],
  // The roles of the nodes in three frames.
  'docs/pictures.md': [/^(candidate ?){5}\n[\s\S]*leader/],
});
