import { it } from 'vitest';

it('ends', () => {});
