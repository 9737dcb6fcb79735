import { describe, expect, it } from 'vitest';
import { parseFilter, parsePath } from './scim-filter.ts';

describe('filters', () => {
  it.each([
    ['userName eq "ada@example.org"', [{ path: 'username', operator: 'eq', value: 'ada@example.org' }]],
    ['USERNAME EQ "a \\"b\\" \\u00e4"', [{ path: 'username', operator: 'eq', value: 'a "b" ä' }]],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "x"', [{ path: 'username', operator: 'eq', value: 'x' }]],
    [
      'emails[type eq "work"].value eq "x"',
      [
        { path: 'emails.type', operator: 'eq', value: 'work' },
        { path: 'emails.value', operator: 'eq', value: 'x' },
      ],
    ],
    [
      'emails[type eq "work" and value eq "x"] and active eq True',
      [
        { path: 'emails.type', operator: 'eq', value: 'work' },
        { path: 'emails.value', operator: 'eq', value: 'x' },
        { path: 'active', operator: 'eq', value: true },
      ],
    ],
    [
      'id eq "1" and members eq "2"',
      [
        { path: 'id', operator: 'eq', value: '1' },
        { path: 'members', operator: 'eq', value: '2' },
      ],
    ],
    ['  title pr  ', [{ path: 'title', operator: 'pr', value: null }]],
  ])('%s', (text, comparisons) => {
    expect(parseFilter(text)).toEqual(comparisons);
  });

  it.each([
    '',
    ' ',
    'userName',
    'userName eq',
    'userName eq ada',
    'userName eq "ada',
    'userName eq "a" or id eq "b"',
    '(userName eq "a")',
    'not userName eq "a"',
    'userName eq "a" and',
    'userName eq "a" b',
    'emails[type eq "work"',
    'a[b[c eq "d"]]',
    'eq "a"',
    'userName eq "\\q"',
    'x'.repeat(3_000),
    Array(11).fill('a eq "b"').join(' and '),
  ])('refuses %j', (text) => {
    expect(() => parseFilter(text)).toThrow(expect.objectContaining({ kind: 'bad_request', code: 'scim_filter_invalid' }));
  });
});

describe('paths', () => {
  it.each([
    ['active', { attribute: 'active', where: [], sub: undefined }],
    ['name.familyName', { attribute: 'name', where: [], sub: 'familyname' }],
    ['members[value eq "1"]', { attribute: 'members', where: [{ path: 'value', operator: 'eq', value: '1' }], sub: undefined }],
    [
      'emails[type eq "work"].value',
      { attribute: 'emails', where: [{ path: 'type', operator: 'eq', value: 'work' }], sub: 'value' },
    ],
    [
      'roles[primary eq "True"].value',
      { attribute: 'roles', where: [{ path: 'primary', operator: 'eq', value: 'True' }], sub: 'value' },
    ],
    ['urn:ietf:params:scim:schemas:core:2.0:Group:members', { attribute: 'members', where: [], sub: undefined }],
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
      {
        attribute: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user:department',
        where: [],
        sub: undefined,
      },
    ],
  ])('%s', (text, path) => {
    expect(parsePath(text)).toEqual(path);
  });

  it.each(['', '.', 'a b', 'a[', 'a[b]', 'a[b eq 1', 'a[b eq 1].', 'a[b eq 1]c'])('refuses %j', (text) => {
    expect(() => parsePath(text)).toThrow(expect.objectContaining({ kind: 'bad_request', code: 'scim_path_invalid' }));
  });
});
