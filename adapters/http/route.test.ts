import { describe, expect, it } from 'vitest';
import { sortBySpecificity } from './route.ts';

const listed = (...paths: string[]): string[] => sortBySpecificity(paths.map((path) => ({ path }))).map(({ path }) => path);

describe('the order of routes', () => {
  it.each([
    [['/v2/projects/{id}', '/v2/projects', '/v2/projects/all']],
    [['/v2/projects/{id}', '/v2/scorers/{id}', '/v2/projects', '/v2/projects/all', '/v2/scorers/list']],
  ])('puts static segments before parameters: %j', (paths) => {
    const order = listed(...paths);
    expect(order.indexOf('/v2/projects/all')).toBeLessThan(order.indexOf('/v2/projects/{id}'));
  });

  it('decides by the first segment that differs', () => {
    expect(listed('/v2/a/{x}/b', '/v2/a/b/{x}', '/v2/a/{x}/{y}')).toEqual(['/v2/a/b/{x}', '/v2/a/{x}/b', '/v2/a/{x}/{y}']);
  });

  it('keeps routes that are alike in the order they are listed in', () => {
    expect(listed('/v2/{p}/traces', '/v2/{p}/spans')).toEqual(['/v2/{p}/traces', '/v2/{p}/spans']);
  });
});
