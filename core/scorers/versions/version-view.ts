import { PRESET, type ScorerKinds } from '../kinds/scorer-kinds.ts';
import type { ScorerRecord, ScorerVersionRecord } from '../scorer.ts';
import type { ScorerVersion, StoredScorerVersion } from './scorer-version.ts';

/** The short form of a version. */
export function toStoredVersion(
  kinds: ScorerKinds,
  version: ScorerVersionRecord,
  scorer: ScorerRecord,
  form: 'short' | 'full' = 'short',
): StoredScorerVersion {
  const { id, scorer_id, model_name, num_judges, cot_enabled, output_type, input_type, calibration } = version;
  return {
    id,
    version: version.version,
    scorer_id,
    model_name,
    num_judges,
    scoreable_node_types: version.scoreable_node_types && [...version.scoreable_node_types],
    cot_enabled,
    output_type,
    input_type,
    calibration,
    ...kinds.show(version.kind, version.definition, toShown(version, scorer), form),
  };
}

/** The full form of a version. */
export function toScorerVersion(kinds: ScorerKinds, version: ScorerVersionRecord, scorer: ScorerRecord): ScorerVersion {
  const { created_at, updated_at } = version;
  return { ...toStoredVersion(kinds, version, scorer, 'full'), created_at, updated_at, allowed_model: true };
}

const toShown = (
  { id, scoreable_node_types, created_by, created_at, updated_at }: ScorerVersionRecord,
  { name, scorer_type, multimodal_capabilities }: ScorerRecord,
) => ({
  id,
  name,
  is_preset: scorer_type === PRESET,
  scoreable_node_types,
  multimodal_capabilities: multimodal_capabilities ?? [],
  created_by,
  created_at,
  updated_at,
});
