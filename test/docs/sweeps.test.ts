import { describe } from 'vitest';
import { pageClaims } from './page-with-program.ts';

describe('docs/sweeps.md', () =>
  pageClaims({
    page: 'sweeps.md',
    picture: { kept: 'sweep.svg', written: 'sweep.svg' },
    says: /^16 [\d.]+ \[ [\d.]+, [\d.]+ \]\n64 /,
  }));
