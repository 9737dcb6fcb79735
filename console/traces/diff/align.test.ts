import { describe, expect, it } from 'vitest';
import { toSteps } from '../steps/step.ts';
import { toNode } from '../test-nodes.ts';
import { alignSteps, isChanged } from './align.ts';

const named = (name: string, fields: object = {}) => toNode(`${name} ${Math.random()}`, { name, ...fields });
const trace = (...spans: ReturnType<typeof named>[]) => toSteps(named('trace', { type: 'trace', spans }));
const told = (pairs: ReturnType<typeof alignSteps>) =>
  pairs.map(({ before, after }) => `${before?.record.name ?? '-'} ${after?.record.name ?? '-'}`);

describe('the spans of two traces', () => {
  it('are paired by type and name below paired parents, in their order', () => {
    const before = trace(named('plan', { spans: [named('ask'), named('ask')] }), named('tell'));
    const after = trace(named('plan', { spans: [named('ask')] }), named('tell', { spans: [named('ask')] }));
    expect(told(alignSteps(before, after))).toEqual(['trace trace', 'plan plan', 'ask ask', 'ask -', 'tell tell', '- ask']);
  });

  it('stand where they were when one side alone has them', () => {
    const before = trace(named('a'), named('gone'), named('b'), named('c'));
    const after = trace(named('a'), named('b'), named('new'), named('c'));
    expect(told(alignSteps(before, after))).toEqual(['trace trace', 'a a', 'gone -', 'b b', '- new', 'c c']);
  });

  it('are each shown once when they changed places', () => {
    const before = trace(named('a'), named('gone'), named('b'));
    const after = trace(named('b'), named('a'));
    expect(told(alignSteps(before, after)).toSorted()).toEqual(['a a', 'b b', 'gone -', 'trace trace']);
  });

  it('are another where the type is', () => {
    const pairs = alignSteps(trace(named('a', { type: 'tool' })), trace(named('a', { type: 'llm' })));
    expect(told(pairs)).toEqual(['trace trace', '- a', 'a -']);
  });

  it('are paired in linear time, however deep or broad', () => {
    const broad = trace(...Array.from({ length: 20_000 }, () => named('a')));
    expect(alignSteps(broad, broad)).toHaveLength(20_001);
    let deep = named('a');
    for (let level = 0; level < 5_000; level += 1) deep = named('a', { spans: [deep] });
    expect(alignSteps(toSteps(deep), toSteps(deep))).toHaveLength(5_001);
  });
});

describe('a pair of spans', () => {
  it('is changed by a text or a status, not by its times', () => {
    const pair = (a: object, b: object) => alignSteps(trace(named('a', a)), trace(named('a', b)))[1]!;
    expect(isChanged(pair({ input: 'x' }, { input: 'x', metrics: { duration_ns: 5 } }))).toBe(false);
    expect(isChanged(pair({ input: 'x' }, { input: 'y' }))).toBe(true);
    expect(isChanged(pair({ output: [1] }, { output: [2] }))).toBe(true);
    expect(isChanged(pair({}, { status_code: 500 }))).toBe(true);
  });
});
