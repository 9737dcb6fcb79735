import { describe, expect, it } from 'vitest';
import { PluginError, type ScoreItem, type ScorerKit } from '../../../core/plugin-sdk/index.ts';
import { FakeModel, type FakeReply, questionIn } from '../../../plugin-kit/fake-model.ts';
import { scorerKindKit } from '../../../plugin-kit/scorer-kind/scorer-kind.kit.ts';
import { Definition } from './definition.ts';
import { finetuned } from './index.ts';
import { finetunedKit } from './kit.ts';

const record = JSON.stringify({
  type: 'llm',
  id: 'l',
  trace_id: 't',
  input: 'Hot?',
  output: { role: 'assistant', content: 'Yes.' },
});
const trace = JSON.stringify({ type: 'trace', id: 't', trace_id: 't', parent_id: null, input: 'Ask', output: 'Answered' });

scorerKindKit(finetunedKit);

async function judge(definition: object, reply: FakeReply, item: ScoreItem = { record }) {
  const model = new FakeModel(() => reply);
  const opened: string[] = [];
  const openModel = async (alias: string) => {
    opened.push(alias);
    return model;
  };
  const kit = { model: openModel } as unknown as ScorerKit;
  const scorer = finetuned.create(kit, Definition.parse({ lora_task_id: 3, prompt: 'Toxic?', ...definition }));
  const [outcome] = await scorer.score({ items: [item], signal: new AbortController().signal });
  return { outcome, call: model.calls[0]!, accepted: model.accepted, opened };
}

describe('what a small model is asked', () => {
  it('is its prompt with the material, by its adapter, without sampling', async () => {
    const { call, opened } = await judge({}, '1');
    expect(questionIn(call)).toBe('Toxic?\n\nInput:\nHot?\n\nOutput:\nYes.');
    expect(call).toMatchObject({ temperature: 0, max_tokens: 64 });
    expect(call).not.toHaveProperty('schema');
    expect(opened).toEqual(['lora_task_3']);
    expect((await judge({ model_name: 'tox-1' }, '1')).opened).toEqual(['tox-1']);
  });

  it('may be about the trace around', async () => {
    const definition = { luna_input_type: 'trace_input_output_only' };
    const { call } = await judge(definition, '1', { record, around: [trace, record] });
    expect(questionIn(call)).toBe('Toxic?\n\nInput:\nAsk\n\nOutput:\nAnswered');
    const looks = (more: object) => finetuned.surroundings!(Definition.parse({ lora_task_id: 3, prompt: 'x', ...more }));
    expect([looks({}), looks(definition), looks({ luna_input_type: 'trace_object' })]).toEqual(['none', 'trace', 'trace']);
  });
});

describe('what a small model answers', () => {
  const classes = { Toxic: 9891, fine: [17, 40] };
  const yesNo = { true: [3], false: [7] };

  it.each<[object, string, unknown]>([
    [{}, ' 0.75\n', 0.75],
    [{}, 'yes', 1],
    [{ class_name_to_vocab_ix: yesNo }, '7', 0],
    [{ class_name_to_vocab_ix: yesNo }, 'True', 1],
    [{ class_name_to_vocab_ix: yesNo }, '0.5', 0.5],
    [{ luna_output_type: 'string' }, ' joy ', 'joy'],
    [{ luna_output_type: 'string', class_name_to_vocab_ix: classes }, 'toxic', 'Toxic'],
    [{ luna_output_type: 'string', class_name_to_vocab_ix: classes }, '40', 'fine'],
    [{ luna_output_type: 'string_list' }, '["a", "b"]', ['a', 'b']],
    [{ luna_output_type: 'string_list', class_name_to_vocab_ix: classes }, 'fine; 9891', ['fine', 'Toxic']],
    [{ luna_output_type: 'string_list' }, '[]', []],
  ])('with %o and %o is %o', async (definition, text, value) => {
    const { outcome, accepted } = await judge(definition, text);
    expect(outcome).toMatchObject({ status: 'success', value });
    expect(accepted).toEqual([true]);
  });

  it.each<[object, FakeReply, string]>([
    [{}, 'rather not', "the answer is no float of the scorer's classes"],
    [{ luna_output_type: 'string', class_name_to_vocab_ix: classes }, 'odd', "the answer is no string of the scorer's classes"],
    [
      { luna_output_type: 'string_list', class_name_to_vocab_ix: classes },
      'fine; odd',
      "the answer is no string_list of the scorer's classes",
    ],
    [{}, '', "the answer is no float of the scorer's classes"],
    [{}, { text: '1', finish_reason: 'content_filter' }, 'the model refused to judge'],
    [{}, new PluginError('unavailable', 'custom: answered 503'), 'custom: answered 503'],
  ])('with %o fails on %o', async (definition, reply, message) => {
    const { outcome, accepted } = await judge(definition, reply);
    expect(outcome).toMatchObject({ status: 'failed', message });
    expect(accepted).not.toContain(true);
  });
});

describe('a small model whose scorer says yes or no', () => {
  it('says so, and keeps the number as its vote', async () => {
    const verdict = async (text: string) => (await judge({ output_type: 'boolean' }, text)).outcome;
    expect(await verdict('0.51')).toMatchObject({ value: true, effort: { votes: [{ value: 0.51 }] } });
    expect(await verdict('0.5')).toMatchObject({ value: false, effort: { votes: [{ value: 0.5 }] } });
    expect(await verdict('no')).toMatchObject({ value: false });
  });
});

describe('definition of a fine-tuned scorer', () => {
  it('refuses a variable nobody knows', () => {
    const { error } = Definition.safeParse({ lora_task_id: 1, prompt: '{{text}}' });
    expect(error?.issues.map(({ message }) => message)).toEqual(['there is no variable "text"']);
  });
});
