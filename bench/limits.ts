/**
 * What the engine spends its time on, by comparison, from a profile:
 * `node --cpu-prof dist-bench/bench/child.js '{"kind":"by hand","name":"bully","quick":false,"runs":5}'`.
 */
export const LIMITS: Readonly<Record<string, string>> = {
  'chang-roberts': 'the innermost loop, with the handler and its checked views',
  'chang-roberts, random delays': 'the loop is slower: it has a heap',
  bully: 'reading the messages of a receiver, which are far apart in memory; sorting them by port',
  raft: 'sending, and restarting timers',
  'ring-max': 'the handler with its checked views; restarting a timer for each message',
  'echo-election': 'reading the messages of a receiver; forwarding',
  'peterson-bidirectional': 'the checked views of states; sorting each round by receiver',
  'time-slice': 'the queue of a million timers, of which one fires; then one event time per message',
  'tree-election': 'sending; sorting each round by receiver',
};
