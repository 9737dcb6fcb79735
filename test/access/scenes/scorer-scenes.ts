import { randomUUID } from 'node:crypto';
import type { Validation } from '../../../core/scorers/validation/validation.ts';
import type { TestServer } from '../../http/harness.ts';
import type { Ids } from '../row.ts';
import { ALL, now, type Scene, type Town, unknownIds } from '../scene.ts';

/** A code scorer with one version, which was tried, and a gate. */
export async function makeScorer({ server }: Town, caller_id: string, creator_id: string): Promise<Scene> {
  const ids = unknownIds(caller_id);
  await makeScorerRow(server, creator_id, ids);
  await server.cradle.validationStore.insert(trialOf(ids.scorer_version_id, creator_id));
  await makeGate(server, ids);
  const { scorerStore, scorerGateStore, auditStore } = server.cradle;
  const picture = async () =>
    JSON.stringify([
      await scorerStore.find(ids.scorer_id),
      await scorerGateStore.find(ids.scorer_id),
      await scorerStore.latestVersions([ids.scorer_id]),
      (await auditStore.list({ object_id: ids.scorer_id }, ALL)).length,
    ]);
  return { ids, secret: ids.scorer_version_id, picture };
}

export async function makeScorerRow(
  { cradle }: TestServer,
  created_by: string,
  { scorer_id, scorer_version_id }: Ids,
): Promise<void> {
  const empty = { scoreable_node_types: null, output_type: null, input_type: null };
  const facts = { ...empty, created_by, created_at: now(), updated_at: now() };
  await cradle.scorerStore.insert({
    ...facts,
    id: scorer_id,
    name: `scorer ${scorer_id}`,
    label: `scorer ${scorer_id}`,
    scorer_type: 'code',
    description: '',
    tags: [],
    defaults: null,
    model_type: 'code',
    ground_truth: null,
    default_version_id: scorer_version_id,
    user_prompt: null,
    required_scorers: null,
    multimodal_capabilities: null,
    roll_up_method: null,
    deprecated: false,
  });
  const definition = { language: 'javascript', source: 'function scorer() { return 0; }' };
  const settings = { model_name: null, num_judges: null, cot_enabled: null };
  await cradle.scorerStore.insertVersion({
    ...facts,
    ...settings,
    id: scorer_version_id,
    scorer_id,
    kind: 'registered',
    definition,
  });
}

export const makeGate = ({ cradle }: TestServer, { scorer_id, dataset_id }: Ids): Promise<void> =>
  cradle.scorerGateStore.put({
    scorer_id,
    dataset_id,
    margin: 0,
    health_score_type: null,
    updated_by: null,
    updated_at: now(),
  });

function trialOf(scorer_version_id: string, created_by: string): Validation {
  const hashes = { definition_hash: '', inputs_hash: '' };
  const counts = { records: 0, succeeded: 0, failed: 0, not_applicable: 0, elapsed_ms: 0, peak_memory_bytes: null };
  return {
    id: randomUUID(),
    kind: 'registered',
    definition: {},
    definition_hash: '',
    plan: {},
    project_id: null,
    run_id: null,
    evidence: { verdict: 'valid', ...hashes, ...counts, outputs: [], errors: [], finished_at: now() },
    scorer_version_id,
    created_by,
    created_at: now(),
  };
}
