import type { StoredEntry } from '../../scores/metric-settings.ts';
import type { ScorerKinds } from '../kinds/scorer-kinds.ts';
import { DEFAULT_NODE_TYPES, type ScorerRecord, type ScorerVersionRecord } from '../scorer.ts';
import type { NewScorerEntry } from './metric-settings.ts';

/** A scorer as it would be enabled. */
export type PlannedEntry = Omit<StoredEntry, 'enabled_at' | 'enabled_by'>;

/** Plans an entry: settings that it leaves open, or repeats from the version that runs, follow that version from now on. */
export function planEntry(
  entry: NewScorerEntry,
  scorer: ScorerRecord,
  version: ScorerVersionRecord,
  scorerKinds: Pick<ScorerKinds, 'find'>,
): PlannedEntry {
  const nodeTypes =
    entry.scoreable_node_types ??
    version.scoreable_node_types ??
    scorer.scoreable_node_types ??
    nodeTypesFor(entry.input_type ?? version.input_type ?? scorer.input_type);
  return {
    id: scorer.id,
    name: entry.name ?? scorer.name,
    scorer_type: scorer.scorer_type,
    model_type: getModelType(scorer, version, scorerKinds),
    model_name: unless(version.model_name, entry.model_name),
    num_judges: unless(version.num_judges, entry.num_judges),
    filters: entry.filters ?? [],
    scoreable_node_types: [...nodeTypes],
    cot_enabled: unless(version.cot_enabled, entry.cot_enabled),
    output_type: unless(version.output_type ?? scorer.output_type, entry.output_type),
    input_type: unless(version.input_type ?? scorer.input_type, entry.input_type),
    scorer_version_id: entry.scorer_version?.id ?? null,
    multimodal_capabilities: entry.multimodal_capabilities ?? null,
    score_type: entry.score_type ?? null,
    roll_up_method: entry.roll_up_method ?? scorer.roll_up_method,
    daily_budget: entry.daily_budget ?? null,
  };
}

/** Default types of nodes of a scorer: those that its input is about. */
function nodeTypesFor(input_type: string | null): readonly string[] {
  const [about = ''] = /^(session|trace|llm|retriever|tool|agent|workflow)(?=s?_)/.exec(input_type ?? '') ?? [];
  return about === '' ? DEFAULT_NODE_TYPES : [about];
}

/** An override that is one: clients send back what they were shown. */
const unless = <T>(same: unknown, given: T | null | undefined): T | null => (given === same ? null : (given ?? null));

/** Of the kind that runs the version: presets are of all kinds. */
function getModelType(
  scorer: ScorerRecord,
  { kind }: ScorerVersionRecord,
  scorerKinds: Pick<ScorerKinds, 'find'>,
): string | null {
  const plugin = scorerKinds.find(kind);
  return plugin ? (plugin.model_type ?? null) : scorer.model_type;
}
