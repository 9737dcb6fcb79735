import type { Ids, Row } from '../row.ts';

/** Nobody here sees a dataset of the project's rule, which there is not. */
const wanted = ({ log_stream_id, dataset_id }: Ids) => ({ log_stream_id, dataset_id, name: 'bad answers' });

export const DATASET_RULE_ROWS: readonly Row[] = [
  {
    operation: 'createDatasetRule',
    on: 'project',
    needs: 'editor',
    body: wanted,
    ok: 404,
    mixed: { log_stream_id: 404, dataset_id: 404 },
  },
  {
    operation: 'previewDatasetRule',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id }) => ({ log_stream_id }),
    mixed: { log_stream_id: 404 },
    reads: true,
  },
  { operation: 'listDatasetRules', on: 'project', needs: 'viewer', reads: true },
  { operation: 'getDatasetRule', on: 'project', needs: 'viewer', mixed: { rule_id: 404 }, reads: true },
  {
    operation: 'updateDatasetRule',
    on: 'project',
    needs: 'editor',
    body: () => ({ name: 'changed' }),
    mixed: { rule_id: 404 },
  },
  { operation: 'deleteDatasetRule', on: 'project', needs: 'editor', mixed: { rule_id: 404 } },
];
