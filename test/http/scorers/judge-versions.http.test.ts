import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { scorerFixture } from './scorer-fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
const fixture = scorerFixture(() => server);
const add = (id: string, kind: string, body: object) => server.request('POST', `/v2/scorers/${id}/version/${kind}`, body);

describe('a version of a judge', () => {
  it('takes what it lacks from the scorer and its defaults, and has a template made of its prompt', async () => {
    const { id, name } = await fixture.create({
      scorer_type: 'llm',
      defaults: { model_name: 'gpt-4.1', num_judges: 5, scoreable_node_types: ['trace'] },
      scoreable_node_types: ['llm'],
      output_type: 'boolean',
      input_type: 'trace_io_only',
    });
    const { status, body } = await add(id, `llm?scorer_id=${id}`, {
      user_prompt: 'Polite? {{output}}',
      cot_enabled: true,
      num_judges: 3,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    const template = {
      template: 'Polite? {{output}}',
      metric_system_prompt: null,
      metric_description: null,
      value_field_name: 'rating',
      explanation_field_name: 'explanation',
      metric_few_shot_examples: [],
      response_schema: null,
    };
    const made = { created_at: body.created_at, updated_at: body.created_at, created_by: expect.any(String) };
    expect(body).toEqual({
      id: expect.any(String),
      version: 1,
      scorer_id: id,
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
      generated_scorer: {
        ...made,
        id: body.id,
        name,
        chain_poll_template: template,
        instructions: null,
        user_prompt: 'Polite? {{output}}',
        scoreable_node_types: ['trace'],
        scorer_configuration: {
          model_alias: 'gpt-4.1',
          num_judges: 3,
          output_type: 'boolean',
          scoreable_node_types: ['trace'],
          cot_enabled: true,
          ground_truth: false,
          multimodal_capabilities: [],
          ...{ labels: null, range: null, jurors: null, temperature: null, max_tokens: 2048 },
          ...{ include_files: true, max_files: 20, max_file_bytes: 10_000_000 },
        },
      },
      registered_scorer: null,
      finetuned_scorer: null,
      code_language: null,
      definition: null,
      model_name: 'gpt-4.1',
      num_judges: 3,
      scoreable_node_types: ['trace'],
      cot_enabled: true,
      output_type: 'boolean',
      input_type: 'trace_io_only',
      chain_poll_template: template,
      allowed_model: true,
      calibration: null,
    });
    const scorer = await fixture.get(id);
    expect(scorer).toMatchObject({ default_version_id: body.id, included_fields: expect.arrayContaining(['num_judges']) });
    expect(scorer.latest_version.generated_scorer).toEqual({
      id: body.id,
      name,
      chain_poll_template: template,
      instructions: null,
      user_prompt: 'Polite? {{output}}',
    });
  });

  it('shows the labels, the range, the temperature and the length of an answer that it was made with', async () => {
    const { id } = await fixture.create({ scorer_type: 'llm' });
    const own = { labels: ['a', 'b'], range: { min: 0, max: 7 }, temperature: 0.3, max_tokens: 99 };
    await add(id, 'llm', { user_prompt: 'Polite? {{output}}', ...own });
    const { body } = await server.request('GET', `/v2/scorers/${id}/version`);
    expect(body.generated_scorer.scorer_configuration).toMatchObject(own);
  });

  it('may have a jury, which is listed under its first model with as many judges as jurors', async () => {
    const { id } = await fixture.create({ scorer_type: 'llm', defaults: { model_name: 'gpt-4.1', num_judges: 5 } });
    const jurors = [{ model_name: 'a', provider: 'openai', weight: 2 }, { model_name: 'b' }];
    const { status, body } = await add(id, 'llm', { user_prompt: 'Polite?', jurors });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ model_name: 'a', num_judges: 2 });
    const shown = (await server.request('GET', `/v2/scorers/${id}/version`)).body.generated_scorer.scorer_configuration;
    expect(shown.jurors).toEqual([jurors[0], { model_name: 'b', provider: null, weight: 1 }]);
    const restored = await server.request('POST', `/v2/scorers/${id}/versions/1/restore`);
    expect(restored.body.generated_scorer.scorer_configuration.jurors, JSON.stringify(restored.body)).toEqual(shown.jurors);
  });

  it('asks what its own body asks, not what the scorer does', async () => {
    const { id } = await fixture.create({ scorer_type: 'llm', user_prompt: 'The question of the scorer' });
    expect((await add(id, 'llm', {})).body.chain_poll_template.template).toBe('The question of the scorer');
    const { body } = await add(id, 'llm', { instructions: 'Be polite', aggregation: 'share' });
    expect(body).toMatchObject({ version: 2, generated_scorer: { instructions: 'Be polite', user_prompt: null } });
    const chain_poll_template = { template: 'A template', metric_few_shot_examples: null, value_field_name: 'verdict' };
    const third = await add(id, 'llm', { chain_poll_template, user_prompt: null });
    expect(third).toMatchObject({ status: 200, body: { chain_poll_template: { metric_few_shot_examples: [] } } });
  });

  it.each<[object, (string | number)[]]>([
    [{}, ['body', 'user_prompt']],
    [{ user_prompt: '{{inptu}}' }, ['body', 'user_prompt']],
    [{ chain_poll_template: { template: '{{inptu}}' } }, ['body', 'chain_poll_template', 'template']],
    [{ user_prompt: 'x', num_judges: 99 }, ['body', 'num_judges']],
    [{ user_prompt: 'x', aggregation: 'mean' }, ['body', 'aggregation']],
    [{ user_prompt: 'x', output_type: 'poem' }, ['body', 'output_type']],
    [{ user_prompt: 'x', jurors: [{ model_name: 'alone' }] }, ['body', 'jurors']],
    [{ user_prompt: 'x', jurors: [{ model_name: 'a' }, { model_name: 'b', weight: 0 }] }, ['body', 'jurors', 1, 'weight']],
    [{ user_prompt: 'x', jurors: 'a, b' }, ['body', 'jurors']],
  ])('%j is refused where it is wrong', async (given, loc) => {
    const { id } = await fixture.create({ scorer_type: 'llm' });
    expect(await add(id, 'llm', given)).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
    expect((await fixture.get(id)).latest_version).toBeNull();
  });

  it('is for scorers of its type', async () => {
    const [code, judge] = [await fixture.create(), await fixture.create({ scorer_type: 'llm' })];
    for (const [id, kind] of [
      [code.id, 'llm'],
      [judge.id, 'preset'],
      [judge.id, 'finetuned'],
    ]) {
      const body = { user_prompt: 'x', lora_task_id: 1, prompt: 'x' };
      expect(await add(id, kind!, body)).toMatchObject({ status: 422, body: { code: 'scorer_type_mismatch' } });
    }
  });
});

it('a version of a preset has the same question with other settings, and shows none of the three scorers', async () => {
  const { id } = await fixture.preset();
  const { status, body } = await add(id, 'preset', { num_judges: 1, model_name: 'other', scoreable_node_types: null });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({
    version: 2,
    num_judges: 1,
    model_name: 'other',
    output_type: 'boolean',
    scoreable_node_types: ['trace'],
  });
  expect(body).toMatchObject({ generated_scorer: null, registered_scorer: null, finetuned_scorer: null });
  expect(body.chain_poll_template.template).toBe('Polite? {{output}}');
  expect(await add(id, 'preset', { num_judges: 0 })).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'num_judges'] }] },
  });
});

it('a version of a fine-tuned scorer holds its adapter', async () => {
  const { id, name } = await fixture.create({ scorer_type: 'finetuned', output_type: 'percentage' });
  const given = { lora_task_id: 7, prompt: 'Toxic? {{input}}', executor: 'input_toxicity_finetuned', luna_input_type: 'span' };
  const { status, body } = await add(id, 'finetuned', {
    ...given,
    class_name_to_vocab_ix: { yes: [1, 2], no: 3 },
    luna_output_type: null,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ version: 1, output_type: 'percentage', generated_scorer: null, registered_scorer: null });
  expect(body.finetuned_scorer).toEqual({
    ...given,
    id: body.id,
    name,
    lora_weights_path: null,
    luna_output_type: 'float',
    class_name_to_vocab_ix: { yes: [1, 2], no: 3 },
    created_at: body.created_at,
    updated_at: body.created_at,
    created_by: expect.any(String),
  });
  for (const wrong of [{}, { ...given, prompt: '{{nothing_like_it}}' }, { ...given, luna_input_type: 'x' }])
    expect((await add(id, 'finetuned', wrong)).status).toBe(422);
});
