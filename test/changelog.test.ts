import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const GROUPS = ['Added', 'Changed', 'Fixed', 'Security'];
const [, ...versions] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);

describe('the changelog', () => {
  it('groups what each version brought, in one order, with no line outside of a group', () => {
    expect(versions.length).toBeGreaterThan(0);
    for (const version of versions) {
      const [head, ...groups] = version.split(/^### /m);
      expect(head!.split('\n').slice(1).join('').trim(), head).toBe('');
      const names = groups.map((group) => group.split('\n')[0]);
      expect(names).toEqual(GROUPS.filter((name) => names.includes(name)));
    }
  });
});
