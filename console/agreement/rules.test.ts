import { expect, it } from 'vitest';
import { TRUTH_RULES } from '../../core/ratings/truth.ts';
import { RULES } from './rules.ts';

it('the rules offered for an annotation field are those that the service takes', () => {
  expect(RULES).toEqual(TRUTH_RULES);
});
