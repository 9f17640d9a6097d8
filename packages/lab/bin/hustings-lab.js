#!/usr/bin/env node
// `hustings lab`, for `npx @hustings/lab`.
process.argv.splice(2, 0, 'lab');
await import('hustings/internal/cli/main');
