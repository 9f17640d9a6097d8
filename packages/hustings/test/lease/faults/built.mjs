// What was built, as a user's process would load it.
export { createElector } from '../../../dist/index.js';
export { fenceHeaders } from '../../../dist/lease/fence/index.js';
