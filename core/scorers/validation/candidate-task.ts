import { getType, type ScorerKinds } from '../kinds/scorer-kinds.ts';
import type { ScorerRecord, ScorerVersionRecord } from '../scorer.ts';
import type { ScorerStore } from '../scorer-store.ts';
import type { ScoringTask } from '../scoring/scoring-task.ts';
import { sortTopologically } from '../scoring/topological-order.ts';
import { getMetricName } from './metric-key.ts';
import type { Candidate } from './validation.ts';

/** The candidate as something that scores, behind the scorers that it requires. Those that nobody knows are left out. */
export async function tasksFor(
  { scorerStore, scorerKinds }: { readonly scorerStore: ScorerStore; readonly scorerKinds: ScorerKinds },
  candidate: Candidate,
  now: string,
): Promise<ScoringTask[]> {
  const required = await requiredTasks(scorerStore, candidate, now);
  return sortTopologically([...required, candidateTask(scorerKinds, candidate, now)], ({ scorer }) => scorer);
}

/** A candidate is its own scorer and its own version: nobody else's scores can be taken for its. */
export function candidateTask(scorerKinds: ScorerKinds, candidate: Candidate, now: string): ScoringTask {
  const { id, kind, definition, output_type, scoreable_node_types, required_scorers, created_by } = candidate;
  const name = getMetricName(kind);
  const plugin = scorerKinds.find(kind);
  const made = { created_by, created_at: now, updated_at: now };
  const settings = { scoreable_node_types, output_type, input_type: null };
  const scorer: ScorerRecord = {
    ...made,
    ...settings,
    id,
    name,
    label: name,
    scorer_type: plugin ? getType(plugin) : kind,
    description: '',
    tags: [],
    defaults: null,
    model_type: plugin?.model_type ?? null,
    ground_truth: null,
    default_version_id: id,
    user_prompt: null,
    required_scorers,
    multimodal_capabilities: null,
    roll_up_method: null,
    deprecated: false,
  };
  const judge = { model_name: null, num_judges: null, cot_enabled: null };
  const version: ScorerVersionRecord = {
    ...made,
    ...settings,
    ...judge,
    id,
    scorer_id: id,
    version: 1,
    kind,
    definition,
    calibration: null,
  };
  return toTask(scorer, version, created_by, now);
}

async function requiredTasks(scorerStore: ScorerStore, candidate: Candidate, now: string): Promise<ScoringTask[]> {
  const values = [...candidate.required_scorers];
  if (values.length === 0) return [];
  const byName = { family: 'string', name: 'name', operator: 'one_of', values, case_sensitive: true } as const;
  const page = { starting_token: 0, limit: 1000 };
  const scorers = await scorerStore.list([byName], { name: 'name', ascending: true }, page);
  const tasks = scorers.map(async (scorer) => {
    const version = scorer.default_version_id === null ? undefined : await scorerStore.findVersion(scorer.default_version_id);
    return version && toTask(scorer, version, candidate.created_by, now);
  });
  return (await Promise.all(tasks)).filter((task) => task !== undefined);
}

function toTask(scorer: ScorerRecord, version: ScorerVersionRecord, user_id: string, now: string): ScoringTask {
  const { id, name, scorer_type } = scorer;
  const open = { model_name: null, num_judges: null, cot_enabled: null, output_type: null, input_type: null };
  const nodeTypes = version.scoreable_node_types ?? scorer.scoreable_node_types ?? ['llm'];
  const entry = {
    ...open,
    id,
    name,
    scorer_type,
    model_type: scorer.model_type,
    filters: [],
    scoreable_node_types: [...nodeTypes],
    scorer_version_id: version.id,
    multimodal_capabilities: null,
    score_type: null,
    roll_up_method: 'none',
    daily_budget: null,
    enabled_at: now,
    enabled_by: user_id,
  };
  return { entry, scorer, version, samples: [] };
}
