import { describe, expect, it } from 'vitest';
import { appliesTo, ScorerFilter } from './metric-settings.ts';

const record = { id: '1', type: 'llm', name: 'Answer', user_metadata: { team: 'Red', size: 3, none: null, list: ['a'] } };
const applies = (filters: object[], scoreable_node_types = ['llm']) =>
  appliesTo({ scoreable_node_types, filters: filters.map((filter) => ScorerFilter.parse(filter)) }, record);

describe('an entry applies', () => {
  it.each<[string[], string, boolean]>([
    [['llm'], 'llm', true],
    [['chat'], 'llm', true],
    [['chain'], 'workflow', true],
    [['trace', 'tool'], 'tool', true],
    [['trace'], 'llm', false],
    [['session'], 'trace', false],
    [[], 'llm', false],
  ])('by node types %j to a %s: %s', (scoreable_node_types, type, expected) => {
    expect(appliesTo({ scoreable_node_types, filters: [] }, { ...record, type })).toBe(expected);
  });

  it.each<[object, boolean]>([
    [{ value: 'Answer' }, true],
    [{ value: 'answer' }, false],
    [{ value: 'ANSWER', case_sensitive: false }, true],
    [{ value: 'nsw', operator: 'contains' }, true],
    [{ value: 'NSW', operator: 'contains', case_sensitive: false }, true],
    [{ value: 'Answer', operator: 'ne' }, false],
    [{ value: 'other', operator: 'ne' }, true],
    [{ value: ['x', 'Answer'], operator: 'one_of' }, true],
    [{ value: ['x', 'Answer'], operator: 'not_in' }, false],
    [{ value: [], operator: 'one_of' }, false],
    [{ value: [], operator: 'not_in' }, true],
    [{ name: 'metadata', key: 'team', value: 'Red' }, true],
    [{ name: 'metadata', key: 'team', value: 'red', case_sensitive: false }, true],
    [{ name: 'metadata', key: 'team', value: ['Blue'], operator: 'not_in' }, true],
    [{ name: 'metadata', key: 'size', value: '3' }, true],
    [{ name: 'metadata', key: 'list', value: '["a"]' }, true],
    [{ name: 'metadata', key: 'none', value: 'null' }, false],
    [{ name: 'metadata', key: 'none', value: 'x', operator: 'ne' }, true],
    [{ name: 'metadata', key: 'absent', value: '', operator: 'contains' }, false],
    [{ name: 'metadata', key: 'toString', value: '', operator: 'contains' }, false],
    [{ name: 'metadata', key: '__proto__', value: '{}' }, false],
  ])('where the filter %j holds: %s', (filter, expected) => {
    expect(applies([filter])).toBe(expected);
  });

  it('looking at no more of a long text than a value may be long', () => {
    const text = 'a'.repeat(2_000);
    const filter = (facts: object) => ScorerFilter.parse({ name: 'metadata', key: 'long', ...facts });
    const long = { ...record, user_metadata: { long: `${text}needle` } };
    const entry = (one: ScorerFilter) => ({ scoreable_node_types: ['llm'], filters: [one] });
    expect(appliesTo(entry(filter({ operator: 'contains', value: 'aaa' })), long)).toBe(true);
    expect(appliesTo(entry(filter({ operator: 'contains', value: 'needle' })), long)).toBe(false);
    expect(appliesTo(entry(filter({ value: 'a'.repeat(1_024) })), long)).toBe(false);
  });

  it('only where every filter holds', () => {
    const [yes, no] = [{ value: 'Answer' }, { value: 'other' }];
    expect([applies([yes, yes]), applies([yes, no]), applies([no])]).toEqual([true, false, false]);
  });
});
