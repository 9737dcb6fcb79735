import type { InputType } from '../../core/plugin-sdk/index.ts';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import type { ScorerVersion } from '../../core/scorers/versions/scorer-version.ts';
import { asBuiltIn, type ChainPollTemplate } from '../api/built-in-versions.ts';
import { readJurorLines, toJurorLines } from '../api/juror-lines.ts';

/** A judge as its editor holds it. */
export interface JudgeDraft {
  readonly model_name: string;
  readonly num_judges: number;
  /** Of a jury: a line for each of its jurors; empty for judges of one model. */
  readonly jurors: string;
  readonly cot_enabled: boolean;
  readonly output_type: string;
  readonly input_type: InputType;
  readonly scoreable_node_types: readonly string[];
  /** The question to the judge; its variables stand in double braces. */
  readonly question: string;
  readonly role: string;
  readonly criterion: string;
  /** Settings that have no field of their own, as JSON text. */
  readonly further: string;
}

const FIRST_QUESTION = 'Asked was:\n{{input}}\n\nThe answer:\n{{output}}\n\nIs the answer …?';

/** Draft from the latest version, or the initial one of a first version. */
export function toJudgeDraft(scorer: Scorer, version: ScorerVersion | null): JudgeDraft {
  const { generated_scorer: judge, chain_poll_template: template } = asBuiltIn(version);
  const config = judge?.scorer_configuration;
  return {
    model_name: version?.model_name ?? config?.model_alias ?? '',
    num_judges: version?.num_judges ?? config?.num_judges ?? 1,
    jurors: toJurorLines(config?.jurors ?? []),
    cot_enabled: version?.cot_enabled ?? config?.cot_enabled ?? true,
    output_type: version?.output_type ?? scorer.output_type ?? 'boolean',
    input_type: (version?.input_type ?? scorer.input_type ?? 'basic') as InputType,
    scoreable_node_types: version?.scoreable_node_types ?? scorer.scoreable_node_types ?? ['trace'],
    question: template?.template || judge?.user_prompt || judge?.instructions || (version ? '' : FIRST_QUESTION),
    role: template?.metric_system_prompt ?? '',
    criterion: template?.metric_description ?? '',
    further: '',
  };
}

/** The question with what else its template had: examples, the form of the answer. */
export function toJudgeTemplate({ question, role, criterion }: JudgeDraft, before: ChainPollTemplate | null | undefined) {
  return { ...before, template: question, metric_system_prompt: role || null, metric_description: criterion || null };
}

/** Throws when `further` is no JSON object. */
export function getFurtherSettings({ further }: JudgeDraft): Readonly<Record<string, unknown>> {
  if (further.trim() === '') return {};
  const parsed: unknown = JSON.parse(further);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  throw new Error('further settings are no JSON object');
}

/** The jurors, where there are any. Throws when a line is none of a juror. */
function getJury({ jurors }: JudgeDraft): object {
  const read = readJurorLines(jurors);
  return read.length > 0 ? { jurors: read } : {};
}

/** A body of `POST /scorers/{scorer_id}/version/llm`. */
export function versionBody(draft: JudgeDraft, before: ChainPollTemplate | null | undefined): object {
  return {
    ...getFurtherSettings(draft),
    ...settingsIn(draft),
    ...getJury(draft),
    chain_poll_template: toJudgeTemplate(draft, before),
  };
}

/** Settings that a version of a preset may change. */
export const settingsIn = ({
  model_name,
  num_judges,
  cot_enabled,
  output_type,
  input_type,
  scoreable_node_types,
}: JudgeDraft) => ({
  model_name: model_name || null,
  num_judges,
  cot_enabled,
  output_type,
  input_type,
  scoreable_node_types,
});

interface TrialTerms {
  readonly log_stream_id: string;
  readonly limit: number;
  readonly ground_truth: boolean;
}

/** A body of `POST /scorers/llm/validate/log_record`. */
export function trialBody(draft: JudgeDraft, before: ChainPollTemplate | null | undefined, terms: TrialTerms): object {
  const { model_name, num_judges, output_type, cot_enabled, scoreable_node_types, input_type } = draft;
  return {
    ...getFurtherSettings(draft),
    log_stream_id: terms.log_stream_id,
    limit: terms.limit,
    sort: { column_id: 'created_at', ascending: false },
    input_type,
    chain_poll_template: toJudgeTemplate(draft, before),
    scorer_configuration: {
      model_alias: model_name || null,
      num_judges,
      ...getJury(draft),
      output_type,
      cot_enabled,
      scoreable_node_types,
      ground_truth: terms.ground_truth,
    },
  };
}
