import { describe, expect, it } from 'vitest';
import { numbered } from './prompt-versions.ts';
import type { ImportedPrompt } from './shapes.ts';

const commit = (id: string, parent?: string, at?: string): ImportedPrompt => ({
  kind: 'prompt',
  name: 'p',
  commit: { id, parent, at },
  content: id,
  labels: [],
  settings: {},
});
const order = (versions: readonly ImportedPrompt[]) => numbered(versions, []).map(({ commit, version }) => [commit?.id, version]);

describe('commits as versions', () => {
  it('are numbered by their parents, whatever the order they come in', () => {
    const [a, b, c] = [commit('a'), commit('b', 'a'), commit('c', 'b')];
    expect(order([c, a, b])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    expect(order([b, c, a, b])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
  });

  it('are numbered by time where parents are not said', () => {
    expect(order([commit('b', undefined, '2026-02-02'), commit('a', undefined, '2026-02-01')])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });

  it('end where parents go in a circle', () => {
    expect(order([commit('a', 'b'), commit('b', 'a')])).toHaveLength(2);
  });

  it('have the labels that name them', () => {
    expect(numbered([commit('a')], [{ kind: 'label', commit: 'a', label: 'production' }])[0]!.labels).toEqual(['production']);
  });
});
