import { describe, expect, it } from 'vitest';
import { findCycle, sortTopologically } from './topological-order.ts';

const scorer = (name: string, ...required_scorers: string[]) => ({ name, required_scorers });
const order = (...scorers: ReturnType<typeof scorer>[]) => sortTopologically(scorers, (one) => one).map(({ name }) => name);

describe('scorers that require others', () => {
  it('come behind them, and stay in their order otherwise', () => {
    expect(order(scorer('a'), scorer('b'), scorer('c'))).toEqual(['a', 'b', 'c']);
    expect(order(scorer('a', 'c'), scorer('b', 'a', 'absent'), scorer('c'))).toEqual(['c', 'a', 'b']);
  });

  it('all run when they require each other', () => {
    expect(order(scorer('a', 'b'), scorer('b', 'a'), scorer('c', 'c')).toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('make a circle when they lead back to themselves', () => {
    expect(findCycle([scorer('a', 'b'), scorer('b', 'c'), scorer('c', 'b')])).toEqual(['b', 'c']);
    expect(findCycle([scorer('a', 'a')])).toEqual(['a']);
    expect(findCycle([scorer('a', 'b', 'c'), scorer('b', 'c'), scorer('c', 'absent')])).toBeUndefined();
  });
});
