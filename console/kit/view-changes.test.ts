import { describe, expect, it } from 'vitest';
import { changedPath } from './view-changes.ts';

describe('the address of a changed view', () => {
  it('has each word that is set, and keeps the others', () => {
    expect(changedPath('/projects', { name: 'a b' })).toBe('/projects?name=a+b');
    expect(changedPath('/projects?from=50&name=a', { name: 'b' })).toBe('/projects?from=50&name=b');
  });

  it('loses what is empty or undefined', () => {
    expect(changedPath('/projects?from=50&name=a', { name: '', from: undefined })).toBe('/projects');
  });
});
