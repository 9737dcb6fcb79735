import { describe, expect, it } from 'vitest';
import { SCORERS } from './demo-scorers.ts';
import { readSample, type SampleRecord, walk } from './sample.ts';
import { scorerInVm } from './scorer-in-vm.ts';

const traces = readSample().flatMap((application) => application.traces);
const records = traces.flatMap((trace) => [...walk(trace)]);
const [grounded, toolFailed, quality] = SCORERS.map(scorerInVm) as [Run, Run, Run];
type Run = (record: unknown) => unknown;

const ofType = (type: string) => records.filter((record) => record.type === type);
const withTag = (tag: string) => traces.filter((trace) => (trace as SampleRecord & { tags: string[] }).tags.includes(tag));

describe('answer_grounded', () => {
  it('gives shares between 0 and 1, and many different ones', () => {
    const scores = ofType('llm').map(grounded) as number[];
    for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
    expect(new Set(scores).size).toBeGreaterThan(30);
  });

  it('tells an answer from the excerpts from an invented one, whatever the script', () => {
    const ask = (context: string, answer: string) =>
      grounded({ input: [{ role: 'user', content: context }], output: { role: 'assistant', content: answer } }) as number;
    expect(ask('Pedals are tightened to 35 Nm.', 'Tighten the pedals to 35 Nm.')).toBeGreaterThan(0.6);
    expect(ask('Pedals are tightened to 35 Nm.', 'Lifetime complimentary servicing in Dublin.')).toBe(0);
    expect(ask('リムの高さが45mmの場合、60mm以上のバルブが必要です。', '60mm以上のバルブが必要です。')).toBe(1);
    expect(ask('الرسوم الجمركية يدفعها العميل', 'يدفعها العميل')).toBe(1);
  });

  it('takes numbers whole and does not believe what the model said before', () => {
    const input = [
      { role: 'assistant', content: 'It costs 4900.' },
      { role: 'user', content: 'The fee is 490.' },
    ];
    expect(grounded({ input, output: { role: 'assistant', content: '4900' } })).toBe(0);
  });
});

describe('tool_call_failed', () => {
  it('finds the failed calls of the sample and only those', () => {
    for (const tool of ofType('tool')) expect(toolFailed(tool), tool.id).toBe((tool.status_code ?? 0) >= 400);
    expect(new Set(ofType('tool').map(toolFailed))).toEqual(new Set([true, false]));
  });

  it('reads the trouble out of an answer that claims success', () => {
    const answers: [unknown, boolean][] = [
      ['{"error":"LEADER_NOT_AVAILABLE"}', true],
      ['{"error":null,"rows":[]}', false],
      ['{"ok":false}', true],
      ['TypeError: x is undefined', true],
      ['Traceback (most recent call last):', true],
      ['timeout after 20 s', true],
      ['Errors fell by half.', false],
      ['', false],
      [null, false],
      [{ success: false }, true],
    ];
    for (const [output, failed] of answers) expect(toolFailed({ status_code: 200, output }), String(output)).toBe(failed);
    expect(toolFailed({ status_code: null, output: null })).toBe(true);
  });
});

describe('reply_quality', () => {
  it('finds every kind of reply in the sample', () => {
    const kinds = new Set(traces.map(quality));
    expect([...kinds].sort()).toEqual(['apology', 'empty', 'invalid_json', 'leaks_contact', 'ok', 'repetitive', 'truncated']);
    expect(traces.filter((trace) => quality(trace) === 'ok').length).toBeGreaterThan(traces.length / 2);
  });

  it('agrees with the notes that the applications left on their traces', () => {
    for (const trace of withTag('privacy')) expect(['leaks_contact', 'ok'], trace.id).toContain(quality(trace));
    for (const trace of withTag('truncated')) expect(['truncated', 'repetitive'], trace.id).toContain(quality(trace));
    for (const trace of withTag('parse-error')) expect(quality(trace), trace.id).toBe('invalid_json');
    for (const trace of withTag('refusal')) expect(['apology', 'ok'], trace.id).toContain(quality(trace));
  });

  it('lets addresses pass that are ours or the user gave', () => {
    expect(quality({ input: 'I am jo@home.example', output: 'We wrote to jo@home.example.' })).toBe('ok');
    expect(quality({ input: 'hi', output: 'Write to help@tandemlane.example.' })).toBe('ok');
    expect(quality({ input: 'hi', output: 'Write to help@nottandemlane.example.' })).toBe('leaks_contact');
    expect(quality({ input: 'hi', output: "I'm sorry, ask jo@home.example and" })).toBe('leaks_contact');
  });
});

describe('all three', () => {
  it('survive records without the usual fields', () => {
    const odd = [
      {},
      { input: null, output: null },
      { input: 5, output: 5 },
      { input: [null, {}], output: { content: null } },
      { output: [{ content: [{ type: 'text', text: 'x' }] }] },
    ];
    for (const run of [grounded, toolFailed, quality])
      for (const record of [...odd, ...records]) expect(['number', 'boolean', 'string']).toContain(typeof run(record));
  });
});
