import type { ScorerVersion } from '../../core/scorers/versions/scorer-version.ts';
import { asBuiltIn } from '../api/built-in-versions.ts';
import { toJurorLines } from '../api/juror-lines.ts';
import { numberText } from '../kit/formatting.ts';

export interface Change {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** Settings of a version, apart from the source of code, as texts that can be compared. */
export function toVersionSettings(version: ScorerVersion): Readonly<Record<string, string>> {
  const fields = asBuiltIn(version);
  const { generated_scorer: judge, finetuned_scorer: tuned, registered_scorer: code, chain_poll_template: template } = fields;
  const config = judge?.scorer_configuration;
  return texts({
    language: fields.code_language,
    model: config?.model_alias ?? version.model_name,
    judges: config?.num_judges ?? version.num_judges,
    jury: config?.jurors && toJurorLines(config.jurors),
    'shows files': config?.include_files,
    'reasons first': config?.cot_enabled ?? version.cot_enabled,
    says: version.output_type ?? config?.output_type ?? code?.data_type,
    sees: version.input_type,
    calibration: version.calibration && calibrationText(version.calibration),
    'judges records of type': version.scoreable_node_types?.join(', '),
    prompt: judge?.user_prompt,
    instructions: judge?.instructions,
    question: template?.template,
    'system prompt': template?.metric_system_prompt,
    description: template?.metric_description,
    examples: template && template.metric_few_shot_examples.length > 0 ? template.metric_few_shot_examples : null,
    'form of the answer': template?.response_schema,
    'prompt of the small model': tuned?.prompt,
    'adapter of the small model': tuned?.lora_weights_path ?? tuned?.lora_task_id,
    executor: tuned?.executor,
    ...version.definition,
  });
}

/** The mapping, and the expected calibration error that it takes away. */
const calibrationText = ({ mapping, rows, ece, mapped_ece }: NonNullable<ScorerVersion['calibration']>): string =>
  `${mapping.method} by ${rows} rows: expected calibration error ${numberText(mapped_ece)} instead of ${numberText(ece)}`;

function texts(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const given = Object.entries(settings).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return Object.fromEntries(given.map(([label, value]) => [label, typeof value === 'string' ? value : JSON.stringify(value)]));
}

/** Settings that differ; what one side does not have is an empty text. */
export function changesBetween(before: ScorerVersion, after: ScorerVersion): Change[] {
  const [left, right] = [toVersionSettings(before), toVersionSettings(after)];
  const labels = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return labels
    .map((label) => ({ label, before: left[label] ?? '', after: right[label] ?? '' }))
    .filter((change) => change.before !== change.after);
}
