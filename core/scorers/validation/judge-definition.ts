import type { JudgeTrial } from './requests.ts';
import type { Candidate } from './validation.ts';

/** The definition of a judge, as a request to try one spells it. */
export function judgeDefinition({
  query: _query,
  response: _response,
  scorer_configuration,
  ...trial
}: JudgeTrial): Candidate['definition'] {
  const { model_alias, num_judges, output_type, cot_enabled, ground_truth } = scorer_configuration ?? {};
  const settings = { model_name: model_alias, num_judges, output_type, cot_enabled, ground_truth };
  const given = Object.entries({ ...trial, ...settings }).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given);
}
