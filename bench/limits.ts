/**
 * What the engine spends its time on, by comparison, from a profile:
 * `node --cpu-prof dist-bench/bench/child.js '{"kind":"by hand","name":"bully","runs":9}'`.
 */
export const LIMITS: Readonly<Record<string, string>> = {};
