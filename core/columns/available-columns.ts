import { z } from 'zod';
import { withDefault } from '../kernel/optional.ts';
import { cleanText } from '../kernel/text.ts';
import { Timestamp } from '../kernel/timestamp.ts';
import { OutputType } from '../plugin-sdk/index.ts';
import { runIdFields } from '../projects/run-ids.ts';
import { forKinds } from '../scorers/kinds/for-kinds.ts';
import { scorerEntrySchema } from '../scorers/settings/metric-settings.ts';
import { listMetricKeys } from '../scorers/validation/metric-key.ts';
import { MAX_NAMES_PER_PLACE, MAX_OWN_COLUMNS } from '../traces/columns/observed-columns.ts';
import { columnFields } from './column-fields.ts';

export const AvailableColumnsQuery = z
  .object({ ...runIdFields, start_time: Timestamp.nullish(), end_time: Timestamp.nullish() })
  .meta({ id: 'AvailableColumnsQuery' });
export type AvailableColumnsQuery = z.output<typeof AvailableColumnsQuery>;

/** The columns of a metrics-testing run, and the metric that is tried there. */
export const metricsTestingQuerySchema = forKinds((kinds) =>
  z
    .object({
      ...runIdFields,
      name: cleanText(1, 255),
      output_type: withDefault(OutputType, 'boolean'),
      cot_enabled: withDefault(z.boolean(), false),
      metric_key: z.enum(listMetricKeys(kinds)).nullish(),
      required_scorers: z.array(z.string()).max(50).nullish(),
      score_type: z.string().max(255).nullish(),
    })
    .meta({ id: 'MetricsTestingColumnsQuery' }),
);
export type MetricsTestingColumnsQuery = z.output<ReturnType<typeof metricsTestingQuerySchema>>;

/** Schema of a column by which records can be shown, filtered and sorted (companion A13). */
const columnSchema = forKinds((kinds) =>
  z
    .object({
      id: z.string(),
      category: z.enum(['standard', 'metric', 'user_metadata', 'dataset_metadata', 'feedback', 'annotations']),
      data_type: z.enum(['uuid', 'text', 'integer', 'floating_point', 'boolean', 'timestamp', 'string_list']).nullable(),
      filter_type: z.enum(['id', 'date', 'number', 'boolean', 'text', 'collection']).nullable(),
      data_unit: z.enum(['percentage', 'nano_seconds', 'dollars']).nullable(),
      label: z.string(),
      description: z.string().nullable(),
      group_label: z.string(),
      ...columnFields,
      allowed_values: z.array(z.string()).nullable(),
      applicable_types: z.array(z.string()),
      scorer_config: scorerEntrySchema(kinds).nullable().optional(),
      scorer_id: z.string().nullable().optional(),
      insight_type: z.enum(['vertical_bar', 'horizontal_bar']).nullable().optional(),
      threshold: z.null().optional(),
      label_color: z.null().optional(),
    })
    .meta({ id: 'ColumnDescriptor' }),
);
export type ColumnDescriptor = z.output<ReturnType<typeof columnSchema>>;

const BOUNDS = `Of the names that records bring with them, the first ${MAX_NAMES_PER_PLACE} each of the metrics, user_metadata and dataset_metadata of a record, and ${MAX_OWN_COLUMNS} of a run, are columns. All others stay in their records, are shown with them, and can be filtered by.`;
export const columnListSchema = forKinds((kinds) =>
  z.object({ columns: z.array(columnSchema(kinds)).describe(BOUNDS) }).meta({ id: 'ColumnList' }),
);
