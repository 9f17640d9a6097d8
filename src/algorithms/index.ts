/** The algorithms of the sources, each in a file of its own; and some wrong twins of theirs. */
export { type Twin, type TwinSearch, twins } from './broken/twins.ts';
export { bully } from './complete/bully.ts';
export { bullyGrant } from './complete/bully-grant.ts';
export { bullyIds } from './complete/bully-ids.ts';
export { bullySuccessor } from './complete/bully-successor.ts';
export { echoElection } from './graph/echo-election.ts';
export { registry } from './registry.ts';
export { changRoberts } from './ring/chang-roberts.ts';
export { dolevKlaweRodeh } from './ring/dolev-klawe-rodeh.ts';
export { hirschbergSinclair } from './ring/hirschberg-sinclair.ts';
export { peterson } from './ring/peterson.ts';
