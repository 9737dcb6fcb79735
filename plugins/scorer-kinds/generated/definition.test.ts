import { describe, expect, it } from 'vitest';
import { Definition } from './definition.ts';

const problems = (given: object): string[] => Definition.safeParse(given).error?.issues.map(({ message }) => message) ?? [];

describe('definition of a judge', () => {
  it('fills what is not said', () => {
    expect(Definition.parse({ user_prompt: 'Is it polite?' })).toEqual({
      model_name: 'gpt-4.1-mini',
      num_judges: 3,
      cot_enabled: false,
      output_type: 'boolean',
      input_type: 'basic',
      ground_truth: false,
      user_prompt: 'Is it polite?',
      max_tokens: 2048,
      max_material_characters: 200_000,
      include_files: true,
      max_files: 20,
      max_file_bytes: 10_000_000,
    });
  });

  it('gives a template the default names of fields', () => {
    const { chain_poll_template } = Definition.parse({ chain_poll_template: { template: 'Polite? {{output}}' } });
    expect(chain_poll_template).toEqual({
      template: 'Polite? {{output}}',
      value_field_name: 'rating',
      explanation_field_name: 'explanation',
      metric_few_shot_examples: [],
    });
  });

  it('takes null for what is left open', () => {
    const open = { value_field_name: null, explanation_field_name: null, metric_few_shot_examples: null, response_schema: null };
    const { chain_poll_template } = Definition.parse({
      chain_poll_template: { template: 'x', metric_description: null, ...open },
    });
    expect(chain_poll_template).toMatchObject({ value_field_name: 'rating', metric_few_shot_examples: [] });
  });

  it('needs a question', () => {
    expect(problems({ user_prompt: ' \n', instructions: null })).toEqual(['a judge needs a template, a prompt or instructions']);
  });

  it('refuses a variable nobody knows, and takes other braces for text', () => {
    expect(problems({ user_prompt: '{{inptu}} {{metadata.x y}}' })).toEqual(['there is no variable "inptu"']);
    expect(problems({ user_prompt: 'Answer as {{"rating": 1}}, {{ }} or {{Input}}.' })).toEqual([]);
  });

  it('says where a variable stands that nobody knows', () => {
    const places = (given: object) => Definition.safeParse(given).error?.issues.map(({ path }) => path.join('.'));
    expect(places({ user_prompt: '{{x}}', instructions: '{{y}}' })).toEqual(['user_prompt']);
    expect(places({ chain_poll_template: { template: '{{x}}' }, user_prompt: '{{y}}' })).toEqual([
      'chain_poll_template.template',
    ]);
    expect(places({ instructions: '{{x}}' })).toEqual(['instructions']);
  });

  it('refuses to ask for a ground truth that the scorer does not have', () => {
    const user_prompt = 'Same as {{ground_truth}}?';
    expect(problems({ user_prompt })).toEqual(['the prompt asks for the ground truth, which the scorer does not have']);
    expect(problems({ user_prompt, ground_truth: true })).toEqual([]);
  });

  it('refuses an aggregation that the output type does not have', () => {
    expect(problems({ user_prompt: 'x', aggregation: 'mean' })).toEqual(['verdicts of type boolean have no mean']);
    expect(problems({ user_prompt: 'x', aggregation: 'share' })).toEqual([]);
  });

  it('refuses a schema of the answer that lacks a field', () => {
    const template = { template: 'x', response_schema: { type: 'object', properties: { rating: { type: 'boolean' } } } };
    expect(problems({ chain_poll_template: template })).toEqual(['the schema has no property "explanation"']);
    expect(problems({ chain_poll_template: { ...template, response_schema: {} } })).toHaveLength(2);
  });
});
