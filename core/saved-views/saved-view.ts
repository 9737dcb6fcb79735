import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { withDefault } from '../kernel/optional.ts';
import { cleanText, Id, Name } from '../kernel/text.ts';
import { RecordFilter, RecordSort } from '../traces/record-query.ts';

/** Of one user in one project. */
export const MAX_VIEWS = 100;
const MAX_FILTERS = 100;
const MAX_COLUMNS = 200;
const MAX_RUNS = 20;
const MAX_HOURS = 24 * 366;

const TimeRange = z
  .object({
    last_hours: z.int().min(1).max(MAX_HOURS).nullable().default(null),
    from: z.iso.datetime({ offset: true }).nullable().default(null),
    until: z.iso.datetime({ offset: true }).nullable().default(null),
  })
  .refine(({ last_hours, from, until }) => last_hours === null || (from === null && until === null), {
    message: 'is either the last hours or from and until',
  })
  .meta({ id: 'SavedViewTimeRange', description: 'The last hours, counted from when the view is opened, or two fixed times.' });

/** How a list of records stood when it was saved. */
export const ViewState = z
  .object({
    record_type: z.enum(['trace', 'span', 'session']),
    /** Empty: the run in which the view is opened. */
    run_ids: withDefault(z.array(Id).max(MAX_RUNS), []),
    filters: withDefault(z.array(RecordFilter).max(MAX_FILTERS), []),
    sort: RecordSort.nullable().default(null),
    /** Shown columns in their order; null for those that are shown anyway. */
    columns: z.array(cleanText(1, 255)).max(MAX_COLUMNS).nullable().default(null),
    search_text: withDefault(cleanText(0, 1000), ''),
    time_range: TimeRange.nullable().default(null),
  })
  .meta({ id: 'SavedViewState' });
export type ViewState = z.output<typeof ViewState>;

export const NewSavedView = z
  .object({ name: Name, is_shared: withDefault(z.boolean(), false), state: ViewState })
  .meta({ id: 'NewSavedView' });
export type NewSavedView = z.output<typeof NewSavedView>;

/** A state is replaced as a whole. */
export const SavedViewUpdate = z
  .object({ name: Name.nullish(), is_shared: z.boolean().nullish(), state: ViewState.nullish() })
  .meta({ id: 'SavedViewUpdate' });
export type SavedViewUpdate = z.output<typeof SavedViewUpdate>;

/** The same as replies show it: complete, with the filters as they are kept. */
const ShownViewState = z
  .object({
    ...ViewState.shape,
    run_ids: z.array(z.string()),
    filters: z.array(z.record(z.string(), z.unknown())),
    sort: z.record(z.string(), z.unknown()).nullable(),
    search_text: z.string(),
    time_range: z
      .object({ last_hours: z.int().nullable(), from: z.string().nullable(), until: z.string().nullable() })
      .nullable(),
  })
  .meta({ id: 'ShownSavedViewState' });

export const SavedView = z
  .object({
    id: z.string(),
    project_id: z.string(),
    name: z.string(),
    /** Seen by all who may read the project; else by its owner alone. */
    is_shared: z.boolean(),
    state: ShownViewState,
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'SavedView' });
export type SavedView = Omit<z.output<typeof SavedView>, 'state'> & { readonly state: ViewState };

export const viewNotFound = (id: string): AppError =>
  new AppError('not_found', 'saved_view_not_found', `saved view ${id} does not exist`);
