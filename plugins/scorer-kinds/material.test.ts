import { describe, expect, it } from 'vitest';
import type { InputType, ScoreItem } from '../../core/plugin-sdk/index.ts';
import { notApplicable, toExtras, toParts } from './material.ts';
import { type Sight, toSights } from './seen-record.ts';
import { toVariableText } from './variables.ts';

const trace = { type: 'trace', id: 't1', trace_id: 't1', parent_id: null, name: 'ask', input: 'Hot?', output: 'Yes.' };
const agent = { type: 'agent', id: 'a', trace_id: 't1', parent_id: 't1', name: 'planner', input: 'Hot?', output: 'Yes.' };
const retriever = {
  type: 'retriever',
  id: 'r',
  trace_id: 't1',
  parent_id: 'a',
  name: 'retriever',
  input: 'weather',
  output: [{ content: '31 °C' }, { page_content: 'dry' }],
};
const search = { name: 'search', description: 'Looks things up.' };
const llm = {
  type: 'llm',
  id: 'l',
  trace_id: 't1',
  parent_id: 'a',
  name: '',
  model: 'm-1',
  tools: [{ type: 'function', function: search }],
  input: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hot?' },
        { type: 'image_url', image_url: {} },
      ],
    },
  ],
  output: { role: 'assistant', content: '', tool_calls: [{ id: '1', function: { name: 'search', arguments: '{"q":1}' } }] },
};
const tool = {
  type: 'tool',
  id: 'x',
  trace_id: 't1',
  parent_id: 't1',
  name: 'search',
  input: '{"q":1}',
  output: 'dry',
  status_code: 500,
};
const second = { ...trace, id: 't2', trace_id: 't2', input: 'And now?', output: 'No.' };

const all = [trace, agent, retriever, llm, tool];
const item = (record: object, around: readonly object[] = all): ScoreItem => ({
  record: JSON.stringify(record),
  around: around.map((one) => JSON.stringify(one)),
});

const toSight = (one: ScoreItem): Sight => toSights([one])[0]!;

/** All that `{{material}}` shows. */
function shown(input_type: InputType, record: object, around?: readonly object[]): Record<string, string | undefined> {
  const sight = toSight(item(record, around));
  const parts = toParts(input_type).map((name) => [name, toVariableText(name, sight)]);
  return Object.fromEntries([...parts, ...toExtras(input_type, sight).map(({ name, text }) => [name, text])]);
}

const OUTLINE = `[0] trace "ask"
  input: Hot?
  output: Yes.
  [1] agent "planner"
    input: Hot?
    output: Yes.
    [2] retriever
      input: weather
      output: [1] 31 °C
        
        [2] dry
    [2] llm
      input: system: Be brief.
        
        user: Hot?
        [image_url]
      output: [calls search({"q":1})]
  [1] tool "search"
    input: {"q":1}
    output: dry
    status: 500`;

describe('what a judge sees', () => {
  it('of a record: its input and output', () => {
    expect(shown('basic', trace)).toEqual({ input: 'Hot?', output: 'Yes.' });
    expect(shown('trace_input_only', trace)).toEqual({ input: 'Hot?' });
    expect(shown('trace_output_only', trace)).toEqual({ output: 'Yes.' });
    expect(shown('trace_io_only', trace)).toEqual({ input: 'Hot?', output: 'Yes.' });
  });

  it('of a whole trace: every span with its depth', () => {
    expect(shown('trace_normalized', trace)).toEqual({ trace: OUTLINE });
  });

  it('of an agent: itself and what is below it', () => {
    const { trace: below } = shown('agent_spans', agent);
    expect(below).toMatch(/^\[0\] agent "planner"\n {2}input: Hot\?/);
    expect(below).toContain('[1] retriever');
    expect(below).not.toContain('tool "search"');
  });

  it('of a session: its turns, or its traces', () => {
    const session = { type: 'session', id: 's' };
    const turns = 'user: Hot?\n\nassistant: Yes.\n\nuser: And now?\n\nassistant: No.';
    expect(shown('sessions_trace_io_only', session, [...all, second])).toEqual({ conversation: turns });
    const { trace: both } = shown('sessions_normalized', session, [...all, second]);
    expect(both).toBe(`${OUTLINE}\n[0] trace "ask"\n  input: And now?\n  output: No.`);
  });

  it('of a turn of a session: the turns up to it', () => {
    const { conversation } = shown('sessions_trace_io_only', trace, [trace, second]);
    expect(conversation).toBe('user: Hot?\n\nassistant: Yes.');
  });

  it('of a model call: messages, answer, tools and model', () => {
    expect(shown('llm_spans', llm)).toEqual({
      input: 'system: Be brief.\n\nuser: Hot?\n[image_url]',
      output: '[calls search({"q":1})]',
      tools: JSON.stringify(llm.tools[0]),
      model: 'm-1',
    });
  });

  it('of a retriever: query and numbered chunks', () => {
    expect(shown('retriever_spans', retriever)).toEqual({ input: 'weather', context: '[1] 31 °C\n\n[2] dry' });
  });

  it('of a tool: name, arguments, result, status, and its definition when a model call knew it', () => {
    expect(shown('tool_spans', tool)).toEqual({
      input: '{"q":1}',
      tool: 'search',
      output: 'dry',
      status: '500',
      definition: JSON.stringify(llm.tools[0]),
    });
    expect(shown('tool_spans', { ...tool, name: 'other' })).not.toHaveProperty('definition');
  });
});

describe('variables', () => {
  const sight = (record: object) => toSight(item(record));
  it('reach around the record', () => {
    expect(toVariableText('trace_output', sight(retriever))).toBe('Yes.');
    expect(toVariableText('context', sight(trace))).toBe('[1] 31 °C\n\n[2] dry');
    expect(toVariableText('tools', sight(trace))).toBe(JSON.stringify(llm.tools[0]));
    expect(toVariableText('conversation', sight(llm))).toMatch(/^system: Be brief\..*assistant: \[calls search/s);
  });

  it('read metadata of the record, then of its trace', () => {
    const rules = { ...trace, user_metadata: { rules: 'Ask first.', n: 'trace' }, dataset_metadata: { row: '7' } };
    const inside = toSight(item({ ...agent, user_metadata: { n: 'span' } }, [rules, agent]));
    expect(['rules', 'n', 'row', 'x', 'constructor'].map((key) => toVariableText(`metadata.${key}`, inside))).toEqual([
      'Ask first.',
      'span',
      '7',
      undefined,
      undefined,
    ]);
  });

  it('have nothing where the record has nothing', () => {
    const bare = toSight({ record: JSON.stringify({ type: 'trace', id: 't', input: '', output: null }) });
    expect(toVariableText('input', bare)).toBe('');
    for (const name of ['output', 'context', 'tools', 'conversation', 'ground_truth', 'trace_output'] as const) {
      expect(toVariableText(name, bare)).toBeUndefined();
    }
  });
});

describe('records that are not for an input type', () => {
  const reason = (input_type: InputType, record: object) => notApplicable(input_type, toSight(item(record)));
  it('are told from those that are', () => {
    expect(reason('llm_spans', llm)).toBeUndefined();
    expect(reason('llm_spans', tool)).toBe('a record of type tool is none of llm_spans');
    expect(reason('sessions_normalized', tool)).toBe('a record of type tool is none of sessions_normalized');
    expect(reason('basic', tool)).toBeUndefined();
    expect(reason('retriever_spans', { ...retriever, output: [] })).toBe('nothing was retrieved');
  });
});

describe('items of one trace', () => {
  it('share what is around them', () => {
    const around = all.map((one) => JSON.stringify(one));
    const [one, other, apart] = toSights([
      { record: around[0]!, around },
      { record: around[1]!, around },
      { record: around[1]!, around: [...around] },
    ]);
    expect(other!.around).toBe(one!.around);
    expect(apart!.around).not.toBe(one!.around);
    expect(apart).toEqual(other);
  });
});
