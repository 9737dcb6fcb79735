import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_SANDBOX_SETTINGS, ForkedSandbox } from '../adapters/sandbox/forked-sandbox.ts';
import { SCORER_KINDS } from '../config/plugins.ts';
import { readPresetFile } from '../config/preset-files.ts';
import type { ScoreValue } from '../core/plugin-sdk/index.ts';
import type { Preset } from '../core/scorers/presets/preset.ts';
import { typedOutcome } from '../core/scorers/scoring/typed-value.ts';
import { readAnswer } from '../plugins/scorer-kinds/generated/answer.ts';
import { answerForm } from '../plugins/scorer-kinds/generated/answer-schema.ts';
import { Definition } from '../plugins/scorer-kinds/generated/definition.ts';
import { verdictForm } from '../plugins/scorer-kinds/generated/verdict-form.ts';
import { PRESETS } from './setup/built-in-kinds.ts';
import { builtInLanguages } from './setup/built-in-languages.ts';

/** Names that clients look presets up by. */
const KNOWN = `agentic_session_success agentic_workflow_success agent_efficiency agent_flow bleu chunk_attribution_utilization
  chunk_relevance context_precision precision_at_k completeness context_adherence context_relevance conversation_quality correctness
  ground_truth_adherence input_pii input_pii_gpt input_sexist input_tone input_tone_gpt input_toxicity instruction_adherence
  output_pii output_pii_gpt output_sexist output_tone output_tone_gpt output_toxicity prompt_injection prompt_perplexity rouge
  reasoning_coherence sql_efficiency sql_adherence sql_injection sql_correctness tool_error_rate tool_selection_quality uncertainty
  user_intent_change action_completion_finetuned action_advancement_finetuned chunk_attribution_utilization_finetuned
  completeness_finetuned context_adherence_finetuned context_relevance_finetuned input_sexist_finetuned input_toxicity_finetuned
  output_sexist_finetuned output_toxicity_finetuned prompt_injection_finetuned tool_error_rate_finetuned
  tool_selection_quality_finetuned input_pii_finetuned input_tone_finetuned output_pii_finetuned output_tone_finetuned answer_relevance chunk_utilization context_recall conciseness helpfulness bias refusal
  user_frustration knowledge_retention role_adherence summary_quality translation_quality topic_adherence custom exact_match contains
  starts_with regex length json_valid json_schema_valid json_diff numeric_diff levenshtein_ratio rouge_n latency tokens cost`
  .split(/\s+/)
  .toSorted();
const OWN = ['sentence_count', 'tool_arguments_valid', 'tool_loops', 'tool_order', 'tool_status_error', 'turns', 'word_count'];
/** Those that are there in Python beside their twins. */
const IN_PYTHON =
  `contains context_precision exact_match json_diff json_valid latency length levenshtein_ratio numeric_diff precision_at_k
  rouge rouge_n sentence_count starts_with tool_loops tool_status_error word_count`
    .split(/\s+/)
    .map((name) => `${name}_python`);

const inTypeScript = ({ definition }: Preset): boolean => definition.language === 'typescript';
const of = (kind: Preset['kind']) => PRESETS.filter((preset) => preset.kind === kind);
const toDefinition = ({ definition, files = {} }: Preset): object => ({
  ...definition,
  ...Object.fromEntries(Object.entries(files).map(([field, file]) => [field, readPresetFile(file)])),
});

describe('the presets', () => {
  it('have the names that clients know, each once', () => {
    expect(PRESETS.map(({ name }) => name).toSorted()).toEqual([...KNOWN, ...OWN, ...IN_PYTHON].toSorted());
  });

  it.each(PRESETS.map((preset) => [preset.name, preset] as const))('%s fits its plugin', (_name, preset) => {
    const plugin = SCORER_KINDS.find(({ id }) => id === preset.kind)!;
    const { error } = plugin.definition.safeParse(toDefinition(preset));
    expect(error?.issues ?? []).toEqual([]);
    expect(preset.description).toMatch(/^[A-Z].*\.$/);
    expect(preset.tags.length).toBeGreaterThan(0);
  });

  it('require presets only', () => {
    const names = new Set(PRESETS.map(({ name }) => name));
    expect(PRESETS.flatMap(({ required_scorers }) => required_scorers ?? []).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('judges among the presets', () => {
  it.each(of('generated').map((preset) => [preset.name, preset] as const))('%s asks in the order that works', (_name, preset) => {
    const judge = Definition.parse(preset.definition);
    const { metric_description, metric_system_prompt, metric_few_shot_examples } = judge.chain_poll_template!;
    expect(metric_system_prompt).toMatch(/^You .*\.$/);
    expect(metric_description).toMatch(/^Criterion: .+\n\nVerdicts:\n- .+\n\nDo not judge: .+\.\n\nIn doubt: .+\.$/s);
    expect(metric_description).not.toMatch(/ {2}|\.\.|undefined/);
    const form = verdictForm(judge, undefined);
    for (const { evaluating_response } of metric_few_shot_examples) {
      const completion = { text: evaluating_response, usage: {}, finish_reason: 'stop', model: 'm' } as const;
      expect(readAnswer(answerForm(judge, form), form, completion)).toMatchObject({ vote: { explanation: expect.any(String) } });
    }
  });
});

describe('programs among the presets', () => {
  const sandbox = new ForkedSandbox({
    settings: DEFAULT_SANDBOX_SETTINGS,
    languages: builtInLanguages,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  afterAll(() => sandbox.close());
  const record = {
    type: 'trace',
    input: 'Write to ada@example.org',
    output: '{"a": 1}',
    status_code: 500,
    metrics: {
      duration_ns: 2_000_000,
      num_total_tokens: 7,
      cost: 0.5,
      output_token_logprobs: [0],
      prompt_token_logprobs: [0],
    },
  };
  const call = { type: 'tool', name: 'look', input: '{"a": 1}' };
  const trajectory = { spans: [call, call], tree: [call, call], traces: [{ type: 'trace' }] };
  const context = { ground_truth: '{"a": 1}', required: { chunk_relevance: [true, false] }, ...trajectory };
  const input = { record: JSON.stringify(record), context: JSON.stringify(context) };
  /** Expected value of each for this record. */
  const EXPECTED: Readonly<Record<string, unknown>> = {
    exact_match: true,
    contains: true,
    starts_with: true,
    regex: 'Invalid regular expression: /{"a": 1}/u: Lone quantifier brackets',
    length: 8,
    word_count: 2,
    sentence_count: 1,
    json_valid: true,
    json_schema_valid: 'the schema has the keyword "a", which is not known here',
    json_diff: 1,
    numeric_diff: 'the ground truth is no number',
    levenshtein_ratio: 1,
    bleu: 0,
    rouge: 1,
    rouge_n: 1,
    context_precision: 1,
    precision_at_k: 1 / 3,
    input_pii: ['email'],
    output_pii: [],
    tool_status_error: true,
    tool_arguments_valid: 'no tool was called of which a model was given the schema',
    tool_loops: 1,
    tool_order: 0,
    turns: 1,
    latency: 2,
    tokens: 7,
    cost: 0.5,
    uncertainty: 0,
    prompt_perplexity: 1,
  };

  /** Those that have a message for this record in place of a value. */
  const MESSAGES = ['regex', 'json_schema_valid', 'numeric_diff', 'tool_arguments_valid'];

  it('run in the sandbox', async () => {
    const said: Record<string, unknown> = {};
    for (const { name, files, definition } of of('registered').filter(inTypeScript)) {
      const source = readPresetFile(files!.source!);
      const [outcome] = await sandbox.run({ language: definition.language as string, source }, [input], {
        project_id: 'presets',
        scorer_id: 'presets',
      });
      said[name] = outcome?.kind === 'returned' ? outcome.value : outcome?.message.replace(/^\w+: (.*) \(scorer\.ts:.*\)$/, '$1');
    }
    expect(said).toEqual(EXPECTED);
    // Every value is of the type that the preset declares, as it is.
    for (const { name, output_type } of of('registered').filter(inTypeScript)) {
      const outcome = { status: 'success', value: said[name] as ScoreValue } as const;
      if (!MESSAGES.includes(name)) expect([name, typedOutcome(outcome, output_type)]).toEqual([name, outcome]);
    }
  });

  it('look for personal data alike on both sides', () => {
    const [input, output] = ['input_pii', 'output_pii'].map((wanted) => {
      const { files } = of('registered').find(({ name }) => name === wanted)!;
      return readPresetFile(files!.source!);
    });
    expect(output!.replaceAll('output', 'input')).toBe(input);
  });
});
