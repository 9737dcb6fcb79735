import type { ProjectRow, Row } from '../row.ts';
import { anew } from '../row-helpers.ts';

const onProject = (row: Omit<ProjectRow, 'on'>): ProjectRow => ({ on: 'project', ...row });
const OF_EXPERIMENT = { mixed: { experiment_id: 404 } } as const;
const OF_TAG = { mixed: { experiment_id: 404, tag_id: 404 } } as const;
const tag = () => ({ key: 'model', value: 'small', tag_type: 'generic' });

export const EXPERIMENTS: readonly Row[] = [
  onProject({ operation: 'createExperiment', needs: 'editor', body: anew }),
  onProject({
    operation: 'createExperiment',
    variant: 'of a dataset',
    needs: 'editor',
    body: ({ dataset_id }) => ({ ...anew(), dataset: { dataset_id, version_index: 1 } }),
    ok: 404,
    mixed: { dataset_id: 404 },
  }),
  onProject({ operation: 'listExperiments', needs: 'viewer' }),
  onProject({ operation: 'listExperimentPage', needs: 'viewer' }),
  onProject({ operation: 'searchExperiments', needs: 'viewer', body: () => ({ include_counts: true }) }),
  onProject({ operation: 'getExperiment', needs: 'viewer', ...OF_EXPERIMENT }),
  onProject({ operation: 'updateExperiment', needs: 'editor', body: anew, ...OF_EXPERIMENT }),
  onProject({ operation: 'deleteExperiment', needs: 'editor', ok: 204, ...OF_EXPERIMENT }),
  onProject({ operation: 'getExperimentMetrics', needs: 'viewer', body: () => ({}), ...OF_EXPERIMENT }),
  onProject({ operation: 'getExperimentsMetrics', needs: 'viewer', body: () => ({}) }),
  onProject({ operation: 'streamPlayground', needs: 'editor', body: () => ({ variants: [{ template: 'hello' }] }) }),
  onProject({ operation: 'callPlayground', needs: 'editor', body: () => ({ variants: [{ template: 'hello' }] }) }),
  onProject({ operation: 'listExperimentColumns', needs: 'viewer' }),
  onProject({
    operation: 'compareExperiments',
    needs: 'viewer',
    body: ({ experiment_id }) => ({ baseline_id: experiment_id, candidate_id: experiment_id }),
    ...OF_EXPERIMENT,
  }),
  onProject({ operation: 'listExperimentTags', needs: 'viewer', ...OF_EXPERIMENT }),
  onProject({ operation: 'createExperimentTag', needs: 'editor', body: tag, ...OF_EXPERIMENT }),
  onProject({ operation: 'getExperimentTag', needs: 'viewer', ...OF_TAG }),
  onProject({ operation: 'updateExperimentTag', needs: 'editor', body: tag, ...OF_TAG }),
  onProject({ operation: 'deleteExperimentTag', needs: 'editor', ...OF_TAG }),
];
