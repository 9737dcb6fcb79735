import { describe, expect, it } from 'vitest';
import { findActive, isComplete, toKeyAction } from './answering.ts';

const right = { id: 'right', annotation_type: 'like_dislike', choices: [] } as const;
const stars = { id: 'stars', annotation_type: 'star', choices: [] } as const;
const tags = { id: 'tags', annotation_type: 'tags', choices: ['rude', 'kind'] };
const why = { id: 'why', annotation_type: 'text', choices: [] } as const;

describe('keys of an annotator', () => {
  it.each([
    ['1', right, {}, true],
    ['2', right, {}, false],
    ['4', stars, {}, 4],
    ['2', { ...tags, annotation_type: 'tags' as const }, { tags: ['rude'] }, ['rude', 'kind']],
    ['1', { ...tags, annotation_type: 'tags' as const }, { tags: ['rude'] }, []],
  ])('make of %s an answer to the question at hand', (key, question, draft, value) => {
    expect(toKeyAction(key, question, draft as never)).toEqual({ kind: 'answer', template_id: question.id, value });
  });

  it.each([
    ['3', right],
    ['0', stars],
    ['1', why],
    ['1', undefined],
    ['x', right],
  ])('make nothing of %s where it has no meaning', (key, question) => {
    expect(toKeyAction(key, question, {})).toBeUndefined();
  });

  it('skip, and go on and back', () => {
    const kinds = ['s', 'n', 'Enter', 'p'].map((key) => toKeyAction(key, undefined, {})?.kind);
    expect(kinds).toEqual(['skip', 'next', 'next', 'previous']);
  });
});

describe('the question that keys answer', () => {
  it('is the first without an answer, unless one was chosen', () => {
    expect(findActive([right, stars], {}, undefined)).toBe(right);
    expect(findActive([right, stars], { right: false }, undefined)).toBe(stars);
    expect(findActive([right, stars], { right: false }, 'right')).toBe(right);
    expect(findActive([right], { right: true }, undefined)).toBeUndefined();
  });

  it('is none once all are answered; no tags are an answer, an emptied field is not', () => {
    expect(isComplete([right, why], { right: true, why: '' })).toBe(false);
    expect(isComplete([stars], { stars: Number.NaN })).toBe(false);
    expect(isComplete([right], { right: false })).toBe(true);
    expect(isComplete([{ ...tags, annotation_type: 'tags' }], { tags: [] })).toBe(true);
  });
});
