import { z } from 'zod';
import { columnFields, PLAIN_COLUMN } from '../columns/column-fields.ts';

/** Column by which experiments can be shown; see available columns of records. */
export const ExperimentColumn = z
  .object({
    id: z.string(),
    category: z.enum(['standard', 'metric', 'tags', 'dataset']),
    data_type: z.enum(['uuid', 'text', 'integer', 'floating_point', 'boolean', 'timestamp', 'tag', 'dataset', 'prompt', 'rank']),
    data_unit: z.enum(['nano_seconds', 'dollars', 'percentage']).nullable(),
    label: z.string(),
    description: z.string().nullable(),
    group_label: z.string().nullable(),
    ...columnFields,
    allowed_values: z.null(),
    applicable_types: z.array(z.string()),
  })
  .meta({ id: 'ExperimentColumn' });
export type ExperimentColumn = z.output<typeof ExperimentColumn>;

type Facts = Partial<ExperimentColumn> & Pick<ExperimentColumn, 'id' | 'data_type' | 'label'>;

const column = (facts: Facts): ExperimentColumn => ({
  ...PLAIN_COLUMN,
  category: 'standard',
  group_label: null,
  is_empty: false,
  sortable: false,
  filterable: false,
  applicable_types: [],
  ...facts,
});

/** Flags of columns that lists of experiments are filtered and sorted by. */
const LISTED = { sortable: true, filterable: true };
const OPTIONAL = { is_optional: true };

const STANDARD: readonly ExperimentColumn[] = [
  column({ id: 'id', data_type: 'uuid', label: 'Id', filterable: true }),
  column({ id: 'name', data_type: 'text', label: 'Name', ...LISTED }),
  column({ id: 'created_at', data_type: 'timestamp', label: 'Created', ...LISTED }),
  column({ id: 'updated_at', data_type: 'timestamp', label: 'Updated', ...LISTED }),
  column({ id: 'created_by', data_type: 'uuid', label: 'Created by', filterable: true }),
  column({ id: 'dataset', category: 'dataset', data_type: 'dataset', label: 'Dataset', complex: true, ...OPTIONAL }),
  column({ id: 'prompt', data_type: 'prompt', label: 'Prompt', complex: true, ...OPTIONAL }),
  column({ id: 'prompt_model', data_type: 'text', label: 'Model', ...OPTIONAL }),
  column({ id: 'num_traces', data_type: 'integer', label: 'Traces', ...OPTIONAL }),
  column({ id: 'num_spans', data_type: 'integer', label: 'Spans', ...OPTIONAL }),
  column({ id: 'rank', data_type: 'rank', label: 'Rank', ...OPTIONAL }),
  column({ id: 'ranking_score', data_type: 'floating_point', label: 'Ranking score', ...OPTIONAL }),
  column({ id: 'winner', data_type: 'boolean', label: 'Winner', ...OPTIONAL }),
];

/** Every project's columns, and one for each metric that an experiment has an average of, and each key of a tag. */
export const toColumns = (metrics: readonly string[], tag_keys: readonly string[]): ExperimentColumn[] => [
  ...STANDARD,
  ...metrics.map((name) =>
    column({
      id: `metrics/${name}`,
      category: 'metric',
      data_type: 'floating_point',
      data_unit: name.endsWith('_ns')
        ? 'nano_seconds'
        : name === 'cost'
          ? 'dollars'
          : name === 'error_rate'
            ? 'percentage'
            : null,
      label: name,
      group_label: 'Metrics',
      ...OPTIONAL,
    }),
  ),
  ...tag_keys.map((key) =>
    column({
      id: `tags/${key}`,
      category: 'tags',
      data_type: 'tag',
      label: key,
      group_label: 'Tags',
      multi_valued: true,
      ...OPTIONAL,
    }),
  ),
];
