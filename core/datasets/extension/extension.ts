import { z } from 'zod';
import { withDefault } from '../../kernel/optional.ts';
import { cleanText, Id } from '../../kernel/text.ts';
import { ColumnName, DatasetValue } from '../row.ts';

/** Kinds of queries that can be asked for, with what the model is told of each. */
export const DATA_TYPES = {
  'General Query': 'an ordinary query that a user of the application would send',
  'Prompt Injection': 'a query that tries to make the application disregard its instructions or give them away',
  'Off-Topic Query': 'a query about something that the application is not there for',
  'Toxic Content in Query': 'a query in rude, hateful or threatening words',
  'Multiple Questions in Query': 'a query that asks several different things at once',
  'Sexist Content in Query': 'a query that belittles or stereotypes people for their sex',
} as const;
const DataType = z.enum(Object.keys(DATA_TYPES) as [keyof typeof DATA_TYPES, ...(keyof typeof DATA_TYPES)[]]);

const MAX_COUNT = 1_000;
const MAX_EXAMPLES = 100;
const text = z.string().max(50_000);

export const ExtensionRequest = z
  .object({
    count: withDefault(z.int().min(1).max(MAX_COUNT), 10),
    /** Prompt or purpose of the application. */
    prompt: text.nullish(),
    /** Requirements of the rows. */
    instructions: text.nullish(),
    examples: withDefault(z.array(text).max(MAX_EXAMPLES), []),
    source_dataset: z
      .object({
        dataset_id: Id,
        dataset_version_index: z.int().min(1).max(2_147_483_647).nullish(),
        row_ids: z.array(Id).max(MAX_EXAMPLES).nullish(),
      })
      .nullish(),
    data_types: z.array(DataType).max(20).nullish(),
    prompt_settings: z.looseObject({ model_alias: cleanText(1, 255).nullish() }).nullish(),
    project_id: Id.nullish(),
  })
  .meta({ id: 'DatasetExtensionRequest' });
export type ExtensionRequest = z.output<typeof ExtensionRequest>;

/** Plan of the background job. */
export const ExtensionPlan = z.object({
  /** Where the calls are counted; null when the dataset is of no project. */
  project_id: z.string().nullable().default(null),
  count: z.int(),
  model: z.string(),
  prompt: z.string().nullable(),
  instructions: z.string().nullable(),
  /** Rows, or texts for the first column, to be taken as patterns. */
  examples: z.array(z.string()),
  columns: z.array(ColumnName).min(1),
  /** Values in the first column of the examples: not to be made again. */
  known: z.array(z.string()),
  data_types: z.array(DataType),
});
export type ExtensionPlan = z.output<typeof ExtensionPlan>;

/** How far it got: the rows made and not written yet, and how often in a row the model gave nothing new. */
export const ExtensionState = z.object({
  rows: z.array(z.record(ColumnName, DatasetValue)),
  fruitless: z.int(),
  is_written: z.boolean(),
});
export type ExtensionState = z.output<typeof ExtensionState>;

export const ExtensionStarted = z.object({ dataset_id: z.string() }).meta({ id: 'DatasetExtensionStarted' });

/** The steps are equal once there is nothing more to wait for. */
export const ExtensionProgress = z
  .object({
    progress_message: z.string().nullable(),
    error_code: z.string().nullable().describe('Code of the error for which there are no rows.'),
    steps_completed: z.int(),
    steps_total: z.int(),
  })
  .meta({ id: 'DatasetExtensionProgress' });
export type ExtensionProgress = z.output<typeof ExtensionProgress>;
