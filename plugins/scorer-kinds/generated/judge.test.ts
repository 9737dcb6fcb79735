import { describe, expect, it } from 'vitest';
import { PluginError } from '../../../core/plugin-sdk/index.ts';
import { FakeModel, type FakeReply } from '../../../plugin-kit/fake-model.ts';
import { UsageTally } from '../usage-tally.ts';
import { answerForm } from './answer-schema.ts';
import { Definition } from './definition.ts';
import { askJudge } from './judge.ts';
import { verdictForm } from './verdict-form.ts';

async function ask(...replies: FakeReply[]) {
  const model = new FakeModel((_call, number) => replies[number] ?? new PluginError('bad_reply', 'asked once too often'));
  const definition = Definition.parse({ user_prompt: 'x', max_tokens: 50 });
  const form = verdictForm(definition, undefined);
  const tally = new UsageTally();
  const ballot = await askJudge({
    model,
    judge: 0,
    nonce: 'ab12',
    prompt: { system: 'Judge.', messages: [{ role: 'user', content: 'Good?' }] },
    answer: answerForm(definition, form),
    form,
    definition,
    temperature: undefined,
    signal: new AbortController().signal,
    tally,
  });
  return { ballot, model, calls: model.calls, spent: tally.sum() };
}

const good = '{"rating": true}';

describe('asking one judge', () => {
  it('asks once when the answer can be used', async () => {
    const { ballot, model, calls } = await ask(good);
    expect(ballot).toEqual({ vote: { value: true } });
    expect(calls).toHaveLength(1);
    expect(model.accepted).toEqual([true]);
  });

  it('asks again in the same conversation, with what was wrong', async () => {
    const { ballot, model, calls, spent } = await ask('Well.', '{"rating": 7}', good);
    expect(ballot).toEqual({ vote: { value: true } });
    expect(model.accepted).toEqual([false, false, true]);
    expect(calls[2]!.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: Good?',
      'assistant: Well.',
      'user: This answer cannot be used: the answer holds no JSON object. Give the whole answer again, in the form asked for.',
      'assistant: {"rating": 7}',
      'user: This answer cannot be used: "rating" has to be true or false. Give the whole answer again, in the form asked for.',
    ]);
    expect(spent).toMatchObject({ input_tokens: 300, cost: 0.03 });
  });

  it('gives up after two repeats', async () => {
    const { ballot, calls } = await ask('Hm.', 'Well.', '{"rating": "maybe"}', good);
    expect(ballot).toEqual({ failure: 'no usable answer in 3 tries: "rating" has to be true or false' });
    expect(calls).toHaveLength(3);
  });

  it.each<[string, FakeReply]>([
    ['cut at the limit', { text: '{"rat', finish_reason: 'length' }],
    ['empty', ''],
  ])('asks once more, with twice the tokens, when the answer is %s', async (_name, reply) => {
    const { ballot, calls } = await ask(reply, good);
    expect(ballot).toEqual({ vote: { value: true } });
    expect(calls.map(({ max_tokens }) => max_tokens)).toEqual([50, 100]);
    expect(calls[1]!.messages).toEqual(calls[0]!.messages);
    const twice = await ask(reply, reply, good);
    expect(twice.ballot).toEqual({ failure: 'the answer was cut off at 100 tokens' });
  });

  it('takes an answer that is whole though it reached the limit', async () => {
    expect((await ask({ text: good, finish_reason: 'length' })).ballot).toEqual({ vote: { value: true } });
  });

  it('takes a refusal as final, whatever it says', async () => {
    const { ballot, model, calls } = await ask({ text: good, finish_reason: 'content_filter' });
    expect(ballot).toEqual({ failure: 'the model refused to judge' });
    expect(calls).toHaveLength(1);
    expect(model.accepted).toEqual([false]);
  });

  it('fails with the reason when the model cannot be asked', async () => {
    const { ballot } = await ask(new PluginError('credentials_rejected', 'acme: credentials were refused'));
    expect(ballot).toEqual({ failure: 'acme: credentials were refused' });
  });
});
