import { describe, expect } from 'vitest';
import { pageClaims } from '../page-with-program.ts';

describe('docs/worst-runs.md', () =>
  pageClaims({
    page: 'worst-runs.md',
    picture: { kept: 'worst-run.svg', written: 'worst.svg' },
    says: /10 true/,
    // The file that its first command saved can be replayed.
    afterwards: (print) => expect(print('replay worst.json')).toContain('most election messages: 10'),
  }));
