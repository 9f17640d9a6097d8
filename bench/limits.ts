/**
 * What the engine spends its time on, by comparison, from a profile:
 * `node --cpu-prof dist-bench/bench/child.js '{"kind":"by hand","name":"bully","quick":false,"runs":5}'`.
 */
export const LIMITS: Readonly<Record<string, string>> = {
  'chang-roberts': 'the innermost loop, with the handler and its checked views',
  'chang-roberts, random delays': 'the loop is slower: it has a heap',
  bully: 'reading the messages of a receiver, which are far apart in memory; sorting them by port',
  raft: 'sending, and restarting timers',
  'ring-max': 'the handler, and sends whose fields are checked; restarting a timer for each message',
  'echo-election': 'reading the messages of a receiver; forwarding',
  'peterson-bidirectional':
    'reading states of 16 bytes, of which the loop reads one; sorting each round by receiver',
  'time-slice': 'one event time per message; before it, starting a million nodes one by one',
  'tree-election': 'sending, and sorting each round by receiver: both read memory in random order',
};
