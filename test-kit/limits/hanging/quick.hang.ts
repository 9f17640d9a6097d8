import { expect, it } from 'vitest';

it('is run although other files stand still', () => expect(1 + 1).toBe(2));
