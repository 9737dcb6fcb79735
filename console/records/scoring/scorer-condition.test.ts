import { describe, expect, it } from 'vitest';
import { ScorerFilter } from '../../../core/scores/metric-settings.ts';
import { conditionText, readScorerCondition } from './scorer-condition.ts';

function form(fields: Readonly<Record<string, string>>): FormData {
  const values = new FormData();
  for (const [name, value] of Object.entries(fields)) values.set(name, value);
  return values;
}

describe('the condition of a scorer', () => {
  it('is about the name, or about metadata when a key is given', () => {
    expect(readScorerCondition(form({ key: '', operator: 'contains', value: 'chat' }))).toMatchObject({
      name: 'node_name',
      value: 'chat',
    });
    const ofMetadata = readScorerCondition(form({ key: 'tenant', operator: 'eq', value: 'acme' }));
    expect(ScorerFilter.parse(ofMetadata)).toMatchObject({ name: 'metadata', key: 'tenant', operator: 'eq', value: 'acme' });
  });

  it('is none without a value', () => {
    expect(readScorerCondition(form({ key: 'tenant', value: ' ' }))).toBeNull();
  });

  it('takes lists with commas, and keeps what the form has no field for', () => {
    const stored = { name: 'metadata', key: 'tenant', operator: 'one_of', value: ['a', 'b'], case_sensitive: false };
    expect(conditionText(stored)).toBe('metadata tenant is one of a, b');
    expect(readScorerCondition(form({ key: 'tenant', operator: 'one_of', value: 'a, b' }), stored)).toEqual(stored);
  });
});
