import { expect, it } from 'vitest';
import { REPLACEMENTS } from '../../core/masking/masking-rule.ts';
import { freeName, KINDS } from './kinds.ts';

it('every kind of masking rule is told by the word that the service puts in its place', () => {
  expect(Object.fromEntries(Object.entries(KINDS).map(([kind, { replacement }]) => [kind, replacement]))).toEqual(REPLACEMENTS);
});

it('a rule of a name that is taken gets the next number', () => {
  const named = (...names: string[]) => names.map((name) => ({ name }));
  expect(freeName('mail', [])).toBe('mail');
  expect(freeName('mail', named('mail', 'mail 2'))).toBe('mail 3');
});
