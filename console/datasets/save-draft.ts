import type { Dataset } from '../../core/datasets/dataset.ts';
import type { DatasetVersion } from '../../core/datasets/version.ts';
import { get, patch, post } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { type Draft, toEdits } from './draft.ts';
import { type Collision, rebaseEdits } from './rebase-edits.ts';
import { readRows, wholeDiff } from './rows.ts';

/** Somebody saved first: their version, and the draft on top of it. */
export interface EditConflict {
  readonly by: DatasetVersion;
  /** The version that the draft was made on before. */
  readonly from_version: number;
  readonly draft: Draft;
  readonly collisions: readonly Collision[];
}

/** All edits as one new version, or, when somebody saved first, nothing: then they are rebased to be saved again. */
export async function saveDraft(dataset_id: string, draft: Draft): Promise<EditConflict | undefined> {
  try {
    const headers = { 'If-Match': draft.base.tag };
    await patch(`/datasets/${dataset_id}/content`, { edits: toEdits(draft) }, { headers });
    return undefined;
  } catch (refusal) {
    if (!(refusal instanceof ApiFailure) || refusal.status !== 412) throw refusal;
    return findEditConflict(dataset_id, draft);
  }
}

async function findEditConflict(dataset_id: string, draft: Draft): Promise<EditConflict> {
  const { current_version_index: version_index } = await get<Dataset>(`/datasets/${dataset_id}`);
  const from_version = draft.base.version_index;
  const [{ base }, diff, versions] = await Promise.all([
    readRows(dataset_id, { version_index, starting_token: 0, limit: 1 }),
    wholeDiff(dataset_id, from_version, version_index),
    post<{ versions: readonly DatasetVersion[] }>(`/datasets/${dataset_id}/versions/query`, {}, { query: { limit: 10 } }),
  ]);
  const by = versions.versions.find((one) => one.version_index === version_index)!;
  return { by, from_version, ...rebaseEdits(draft, base, diff) };
}
