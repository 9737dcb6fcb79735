import { it } from 'vitest';

await new Promise(() => setInterval(() => {}, 1_000));

it('is never known, since its file is never loaded', () => {});
