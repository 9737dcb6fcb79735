import { describe, expect, it } from 'vitest';
import { RoundRobin } from './round-robin.ts';

const filled = (...items: readonly (readonly [string, string, string])[]): RoundRobin<string> => {
  const line = new RoundRobin<string>();
  for (const [project, scorer, item] of items) line.push([project, scorer], item);
  return line;
};

describe('RoundRobin', () => {
  it('takes turns over the first key, then over the second, then in order of arrival', () => {
    const line = filled(
      ['a', 'x', 'ax1'],
      ['a', 'x', 'ax2'],
      ['a', 'y', 'ay1'],
      ['a', 'x', 'ax3'],
      ['b', 'z', 'bz1'],
      ['b', 'z', 'bz2'],
    );
    expect(line.drain()).toEqual(['ax1', 'bz1', 'ay1', 'bz2', 'ax2', 'ax3']);
    expect(line.size).toBe(0);
  });

  it('hands out for one first key while the others wait', () => {
    const line = filled(['a', 'x', 'a1'], ['b', 'x', 'b1']);
    expect([...line.keys()]).toEqual(['a', 'b']);
    expect(line.shift('b')).toBe('b1');
    expect(line.shift('b')).toBeUndefined();
    expect(line.shift()).toBe('a1');
    expect([...line.keys()]).toEqual([]);
  });

  it('takes out all items that match, and keeps the order of the others', () => {
    const line = filled(['a', 'x', 'a1'], ['b', 'x', 'b1'], ['a', 'y', 'a2'], ['a', 'x', 'a3']);
    line.removeWhere((item) => item === 'b1' || item === 'a1');
    expect(line.size).toBe(2);
    expect(line.drain()).toEqual(['a3', 'a2']);
  });

  it('lets one go that does not want to wait any longer', () => {
    const line = filled(['a', 'x', 'a1'], ['a', 'x', 'a2']);
    expect(line.remove(['a', 'x'], 'a1')).toBe(true);
    expect(line.remove(['a', 'x'], 'a1')).toBe(false);
    expect(line.remove(['b', 'x'], 'a1')).toBe(false);
    expect(line.size).toBe(1);
    expect(line.drain()).toEqual(['a2']);
    expect(line.shift()).toBeUndefined();
  });
});
