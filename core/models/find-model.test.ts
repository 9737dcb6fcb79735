import { describe, expect, it } from 'vitest';
import { findModel } from './find-model.ts';

const found = (lists: readonly (readonly { name: string; alias?: string }[])[], alias: string) => {
  const { at, model } = findModel(lists, alias) ?? {};
  return model && `${at} ${model.name}`;
};

describe('the model that an alias means', () => {
  it.each([
    ['GPT-4o', 'gpt-4o'],
    ['gpt 4o', 'gpt-4o'],
    ['Claude 3.7 Sonnet', 'claude-3-7-sonnet'],
    ['anthropic/claude-3-7-sonnet', undefined],
    ['gpt-4', undefined],
    ['--', undefined],
    ['', undefined],
  ])('%s is found without regard to case and punctuation', (alias, name) => {
    const lists = [[{ name: 'gpt-4o' }, { name: 'claude-3-7-sonnet' }, { name: '..' }]];
    expect(found(lists, alias)).toBe(name && `0 ${name}`);
  });

  it('is the one of exact spelling, in whichever list, before one in another case, before one of other punctuation', () => {
    const lists = [[{ name: 'm.1' }, { name: 'M-1' }], [{ name: 'm-1' }]];
    expect(found(lists, 'm-1')).toBe('1 m-1');
    expect(found(lists.slice(0, 1), 'm-1')).toBe('0 M-1');
    expect(found([[{ name: 'm.1' }], [{ name: 'x' }]], 'm-1')).toBe('0 m.1');
  });

  it('is known by its alias, after all names of its list', () => {
    const lists = [[{ name: 'deployed-7', alias: 'GPT-4o' }, { name: 'gpt-4o' }], [{ name: 'GPT-4o' }]];
    expect(found(lists, 'gpt-4o')).toBe('0 gpt-4o');
    expect(found(lists, 'GPT-4o')).toBe('0 deployed-7');
    expect(found([[{ name: 'deployed-7', alias: 'GPT-4o' }]], 'gpt 4o')).toBe('0 deployed-7');
  });
});
