/**
 * What the engine spends its time on, by comparison, from a profile:
 * `node --cpu-prof dist-bench/bench/child.js '{"kind":"by hand","name":"bully","quick":false,"runs":5}'`.
 */
export const LIMITS: Readonly<Record<string, string>> = {
  'chang-roberts': 'the innermost loop, with the handler and its checked views',
  'chang-roberts, random delays': 'the loop is slower: it has a heap',
  bully: 'reading the messages of a receiver, which are far apart in memory; sorting them by port',
  raft: 'sending, and restarting timers',
  'ring-max':
    'waiting for the state and the timer of each receiver, which are far apart; sends whose fields are checked',
  'echo-election': 'reading the messages of a receiver; forwarding',
  'peterson-bidirectional':
    'reading states of 16 bytes, of which the loop reads one; sorting each round by receiver',
  'time-slice': 'one event time per message, 77 ns; before it, starting a million nodes, 52 ns each',
  'tree-election': 'sending, and sorting each round by receiver: both read memory in random order',
};
