import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { withDefault } from '../../kernel/optional.ts';
import { Id, Name } from '../../kernel/text.ts';
import { runIdFields } from '../../projects/run-ids.ts';
import { FilterTree, RecordFilter } from '../../traces/record-query.ts';
import { RecordColumns } from '../edit.ts';

/** Of one run: each of them looks at all that is written to it. */
export const MAX_RULES = 20;
const MAX_FILTERS = 100;
const MAX_ROWS_PER_DAY = 10_000;

/** Records that a rule takes, and what it makes of them. */
const taken = {
  record_type: withDefault(z.enum(['trace', 'span']), 'trace'),
  filters: withDefault(z.array(RecordFilter).max(MAX_FILTERS), []),
  filter_tree: FilterTree.nullish(),
  sample_rate: withDefault(z.number().gt(0).max(1), 1).describe(
    'The share of the matching records that is taken, by the id of their trace: all spans of a trace or none.',
  ),
};
const columns = RecordColumns.nullish().describe('By default `input`, `output` and `metadata`.');
const maxRowsPerDay = z.int().min(1).max(MAX_ROWS_PER_DAY);
const batchMinutes = z.int().min(1).max(1440);

export const NewDatasetRule = z
  .object({
    ...runIdFields,
    name: Name,
    dataset_id: Id,
    ...taken,
    columns,
    max_rows_per_day: withDefault(maxRowsPerDay, 1_000).describe(
      'What matches beyond is left out and counted. A day is one of UTC.',
    ),
    batch_minutes: withDefault(batchMinutes, 5).describe('How far apart the versions are that the rule makes, at least.'),
  })
  .meta({
    id: 'NewDatasetRule',
    description:
      'Adds each record of a run to a dataset once it matches, whether by itself or by a score or rating that comes later.',
  });
export type NewDatasetRule = z.output<typeof NewDatasetRule>;

/** Absent and null fields stay as they are; a filter tree given as `{ "and": [] }` takes the one there away. */
export const DatasetRuleUpdate = z
  .object({
    name: Name.nullish(),
    filters: z.array(RecordFilter).max(MAX_FILTERS).nullish(),
    filter_tree: FilterTree.nullish(),
    sample_rate: z.number().gt(0).max(1).nullish(),
    columns: RecordColumns.nullish(),
    max_rows_per_day: maxRowsPerDay.nullish(),
    batch_minutes: batchMinutes.nullish(),
    is_enabled: z.boolean().nullish(),
  })
  .meta({ id: 'DatasetRuleUpdate' });
export type DatasetRuleUpdate = z.output<typeof DatasetRuleUpdate>;

/** The same conditions, to be tried. */
export const DatasetRuleTrial = z
  .object({ ...runIdFields, ...taken, dataset_id: Id.nullish().describe('Records that it has already are told apart.') })
  .meta({ id: 'DatasetRuleTrial' });
export type DatasetRuleTrial = z.output<typeof DatasetRuleTrial>;

export const DatasetRulePreview = z
  .object({
    since: z.string().describe('Records created from then on were looked at.'),
    num_matching: z.int(),
    num_taken: z.int().describe('Those of them that are in the sample, and that the dataset never had.'),
    is_more: z.boolean().describe('Whether there are more matching records than were counted.'),
    record_ids: z.array(z.string()).describe('Some that would be taken, the newest first.'),
  })
  .meta({ id: 'DatasetRulePreview' });
export type DatasetRulePreview = z.output<typeof DatasetRulePreview>;

const PauseReason = z.enum(['user', 'dataset_deleted', 'access_lost', 'dataset_refused']);
export type PauseReason = z.output<typeof PauseReason>;

export const DatasetRule = z
  .object({
    id: z.string(),
    project_id: z.string(),
    run_id: z.string(),
    dataset_id: z.string(),
    name: z.string(),
    record_type: z.enum(['trace', 'span']),
    filters: z.array(z.record(z.string(), z.unknown())),
    filter_tree: z.record(z.string(), z.unknown()).nullable(),
    sample_rate: z.number(),
    columns: z.record(z.string(), z.object({ field: z.string(), key: z.string().nullish() })).nullable(),
    max_rows_per_day: z.int(),
    batch_minutes: z.int(),
    is_enabled: z.boolean().describe('A rule that is not takes nothing, nor later what came meanwhile.'),
    paused_reason: PauseReason.nullable().describe(
      'Why it is not enabled. `access_lost`: who enabled it may no longer change the dataset or the project; `dataset_refused`: the dataset took no more, as `paused_message` says.',
    ),
    paused_message: z.string().nullable(),
    paused_at: z.string().nullable(),
    created_by: z.string(),
    enabled_by: z.string().describe('The user by whose rights it adds rows.'),
    created_at: z.string(),
    updated_at: z.string(),
    last_run_at: z.string().nullable().describe('When it last looked at records that had changed.'),
    last_added_at: z.string().nullable(),
    last_version_index: z.int().nullable().describe('The version of the dataset that it made last.'),
    num_added: z.int(),
    num_left_out: z.int().describe('Matching records beyond `max_rows_per_day`.'),
    added_today: z.int().describe('On the day of `last_run_at`.'),
  })
  .meta({ id: 'DatasetRule' });

/** A rule as it is stored and shown. */
export type DatasetRule = Omit<z.output<typeof DatasetRule>, 'filters' | 'filter_tree' | 'columns'> & {
  readonly filters: RecordFilter[];
  readonly filter_tree: FilterTree | null;
  readonly columns: RecordColumns | null;
};

export const DatasetRuleList = z.object({ rules: z.array(DatasetRule) }).meta({ id: 'DatasetRuleList' });

export const ruleNotFound = (id: string): AppError =>
  new AppError('not_found', 'dataset_rule_not_found', `dataset rule ${id} does not exist`);
