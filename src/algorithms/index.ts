/** The algorithms of the sources, each in a file of its own. */
export { registry } from './registry.ts';
export { changRoberts } from './ring/chang-roberts.ts';
