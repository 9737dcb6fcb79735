import { randomUUID } from 'node:crypto';
import type { DatasetRow, Ids, Row } from '../row.ts';
import { hasPlainKey, leaving, seesAllGroups } from '../row-helpers.ts';

const byId = ({ dataset_id }: Ids) => ({ filters: [{ name: 'id', operator: 'eq', value: dataset_id }] });
const onDataset = (row: Omit<DatasetRow, 'on'>): DatasetRow => ({ on: 'dataset', ...row });

const toCopy = (dataset_id: string): FormData => {
  const form = new FormData();
  form.set('name', randomUUID());
  form.set('copy_from_dataset_id', dataset_id);
  return form;
};

const EXTENSIONS: readonly Row[] = [
  onDataset({
    // No caller here has an integration, so whoever may extend is told that there is no model.
    operation: 'extendDataset',
    needs: 'viewer',
    body: ({ dataset_id }) => ({ source_dataset: { dataset_id } }),
    ok: 400,
    deviates: (usual, { caller }) => (hasPlainKey(caller) && caller.role !== 'read_only' ? usual : 403),
  }),
  onDataset({ operation: 'getDatasetExtension', needs: 'viewer', ok: 404 }),
];

const FILES: readonly Row[] = [
  // Whoever started an import sees it; nobody here did.
  { operation: 'getDatasetImport', on: 'everyone', ok: 404, mixed: { import_id: 404 } },
  onDataset({ operation: 'downloadDataset', needs: 'viewer', query: () => ({ format: 'jsonl' }), reads: true }),
  onDataset({
    operation: 'createDataset',
    variant: 'as a copy',
    needs: 'viewer',
    form: ({ dataset_id }) => toCopy(dataset_id),
    deviates: (usual, { caller }) => (hasPlainKey(caller) && caller.role !== 'read_only' ? usual : 403),
  }),
];

const CONTENT: readonly Row[] = [
  { operation: 'getDatasetContent', needs: 'viewer' } as const,
  { operation: 'queryDatasetContent', needs: 'viewer', body: () => ({ filters: [] }) } as const,
  { operation: 'previewDataset', needs: 'viewer', body: () => ({ column_mapping: { metadata: ['output'] } }) } as const,
  { operation: 'getDatasetVersionContent', needs: 'viewer' } as const,
  { operation: 'diffDatasetVersions', needs: 'viewer' } as const,
  { operation: 'queryDatasetVersions', needs: 'viewer', body: () => ({}) } as const,
  { operation: 'updateDatasetVersion', needs: 'editor', body: () => ({ name: 'golden' }) } as const,
].map(onDataset);

const EDITS: readonly Row[] = [
  onDataset({
    operation: 'editDatasetContent',
    needs: 'editor',
    ok: 204,
    body: () => ({ edits: [{ edit_type: 'append_row', values: { input: 'new' } }] }),
  }),
  onDataset({
    operation: 'editDatasetContent',
    variant: 'of a row',
    needs: 'editor',
    ok: 204,
    body: ({ row_id }) => ({ edits: [{ edit_type: 'update_row', row_id, values: { input: 'changed' } }] }),
    mixed: { row_id: 422 },
  }),
  onDataset({ operation: 'replaceDatasetContent', needs: 'editor', ok: 204, body: () => ({ rollback_version: 1 }) }),
  onDataset({
    // Nobody sees the project of the records, which there is not.
    operation: 'addRecordsToDataset',
    needs: 'editor',
    ok: 404,
    body: () => ({ project_id: randomUUID(), log_stream_id: randomUUID() }),
  }),
  onDataset({
    operation: 'replaceDatasetContent',
    variant: 'by another dataset',
    needs: 'editor',
    ok: 204,
    body: ({ source_dataset_id }) => ({ dataset_id: source_dataset_id }),
    mixed: { source_dataset_id: ({ role }) => (role === 'admin' ? 204 : 404) },
  }),
];

const COLLABORATORS: readonly Row[] = [
  onDataset({ operation: 'listDatasetUsers', needs: 'viewer' }),
  onDataset({
    operation: 'addDatasetUsers',
    needs: 'owner',
    body: ({ user_id }) => [{ user_id, role: 'editor' }],
    mixed: { user_id: 200 },
    known: ['user_id'],
  }),
  onDataset({ operation: 'updateDatasetUser', needs: 'owner', body: () => ({ role: 'annotator' }), mixed: { user_id: 404 } }),
  onDataset({ operation: 'removeDatasetUser', needs: 'owner', mixed: { user_id: 404 } }),
  onDataset({
    operation: 'removeDatasetUser',
    variant: 'leaving',
    needs: 'viewer',
    path: { user_id: 'caller_id' },
    deviates: leaving,
  }),
  onDataset({ operation: 'listDatasetGroups', needs: 'viewer' }),
  onDataset({
    operation: 'addDatasetGroups',
    needs: 'owner',
    body: ({ group_id }) => [{ group_id, role: 'editor' }],
    mixed: { group_id: (caller) => (seesAllGroups(caller) ? 200 : 422) },
  }),
  onDataset({ operation: 'updateDatasetGroup', needs: 'owner', body: () => ({ role: 'annotator' }), mixed: { group_id: 404 } }),
  onDataset({ operation: 'removeDatasetGroup', needs: 'owner', mixed: { group_id: 404 } }),
];

export const DATASETS: readonly Row[] = [
  onDataset({
    operation: 'listDatasets',
    needs: 'viewer',
    query: () => ({ limit: '1000' }),
    shows: ({ datasets }, { dataset_id }) => datasets.some(({ id }: { id: string }) => id === dataset_id),
  }),
  onDataset({ operation: 'queryDatasets', needs: 'viewer', body: byId, shows: ({ datasets }) => datasets.length > 0 }),
  onDataset({
    operation: 'deleteDatasets',
    needs: 'owner',
    body: ({ dataset_id }) => ({ dataset_ids: [dataset_id] }),
    // Those that may not be deleted are named in the answer, by name only to who sees them.
    deviates: (usual) => (usual === 403 ? 200 : usual),
    shows: ({ deleted_count, failed_deletions }) => deleted_count === 1 || failed_deletions[0].dataset_name !== '',
  }),
  onDataset({ operation: 'getDataset', needs: 'viewer' }),
  onDataset({ operation: 'updateDataset', needs: 'editor', body: () => ({ name: randomUUID() }) }),
  onDataset({
    operation: 'updateDataset',
    variant: 'mapping columns',
    needs: 'editor',
    body: () => ({ column_mapping: { metadata: ['output'] } }),
  }),
  onDataset({ operation: 'deleteDataset', needs: 'owner' }),
  onDataset({ operation: 'listDatasetProjects', needs: 'viewer' }),
  ...EXTENSIONS,
  ...FILES,
  ...CONTENT,
  ...EDITS,
  ...COLLABORATORS,
];
