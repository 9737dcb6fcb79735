import { expect, it } from 'vitest';
import { NewScorerEntry } from './metric-settings.ts';

it('an entry asks for nothing but an id, and takes null for the rest', () => {
  const id = '11111111-1111-4111-8111-111111111111';
  const fields = Object.keys(NewScorerEntry.shape).filter((name) => name !== 'id');
  expect(NewScorerEntry.parse({ id })).toEqual({ id });
  expect(NewScorerEntry.safeParse({ id, ...Object.fromEntries(fields.map((name) => [name, null])) }).success).toBe(true);
});
