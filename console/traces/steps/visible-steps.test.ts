import { describe, expect, it } from 'vitest';
import { toNode } from '../test-nodes.ts';
import { toMove } from '../tree-keys.ts';
import { toSteps } from './step.ts';
import { above, visibleSteps } from './visible-steps.ts';

const steps = toSteps(
  toNode('trace', {
    spans: [
      toNode('first', {
        spans: [toNode('inner', { input: 'The Baltic' }), toNode('failed', { status_code: 500, tags: ['red'] })],
      }),
      toNode('second', { output: { role: 'assistant', content: 'calm' } }),
    ],
  }),
);
const NONE = { text: '', onlyFailed: false };
const shown = (folded: string[], filter = NONE) => visibleSteps(steps, new Set(folded), filter).map(({ step }) => step.record.id);

describe('the visible steps', () => {
  it('are all that no folded step hides', () => {
    expect(shown([])).toEqual(['trace', 'first', 'inner', 'failed', 'second']);
    expect(shown(['first'])).toEqual(['trace', 'first', 'second']);
    expect(shown(['trace', 'first'])).toEqual(['trace']);
    expect(shown(['second'])).toHaveLength(5);
  });

  it('are what meets a filter with the way to it, folded or not', () => {
    expect(shown(['first'], { text: 'baltic THE', onlyFailed: false })).toEqual(['trace', 'first', 'inner']);
    expect(shown([], { text: 'calm', onlyFailed: false })).toEqual(['trace', 'second']);
    expect(shown([], { text: '', onlyFailed: true })).toEqual(['trace', 'first', 'failed']);
    expect(shown([], { text: 'baltic', onlyFailed: true })).toEqual([]);
    expect(visibleSteps(steps, new Set(), { text: 'inner', onlyFailed: false }).map(({ matched }) => matched)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('are reached by way of those above', () => {
    expect(above(steps[2]!).map(({ record }) => record.id)).toEqual(['first', 'trace']);
  });
});

describe('keys in the tree', () => {
  const open = visibleSteps(steps, new Set(), NONE);
  const folded = visibleSteps(steps, new Set(['first']), NONE);

  it('go up and down and to the ends, no further', () => {
    expect([toMove('ArrowDown', open, 1), toMove('ArrowDown', open, 4)]).toEqual([{ select: 2 }, { select: 4 }]);
    expect([toMove('ArrowUp', open, 0), toMove('PageUp', open, 4), toMove('PageDown', open, 0)]).toEqual([
      { select: 0 },
      { select: 0 },
      { select: 4 },
    ]);
    expect([toMove('Home', open, 3), toMove('End', open, 0)]).toEqual([{ select: 0 }, { select: 4 }]);
  });

  it('open and then go in, close and then go out', () => {
    expect([toMove('ArrowRight', folded, 1), toMove('ArrowRight', open, 1)]).toEqual([{ unfold: 1 }, { select: 2 }]);
    expect([toMove('ArrowLeft', open, 1), toMove('ArrowLeft', folded, 1)]).toEqual([{ fold: 1 }, { select: 0 }]);
    expect([toMove('ArrowLeft', open, 3), toMove('ArrowRight', open, 3)]).toEqual([{ select: 1 }, undefined]);
  });

  it('do nothing else', () => {
    expect([toMove('a', open, 1), toMove('ArrowDown', [], 0)]).toEqual([undefined, undefined]);
  });
});
