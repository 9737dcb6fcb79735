import { z } from 'zod';
import { AppError, type Issue } from '../../kernel/errors.ts';
import { withDefault } from '../../kernel/optional.ts';
import { parseRatingColumn, type RatingColumn } from '../../ratings/rating-column.ts';
import { parseAgreementColumn } from '../../scores/agreement-column.ts';
import { OWN_FIELDS } from '../catalogue/record-fields.ts';
import { findColumn, parseOwnName } from '../columns/column.ts';
import type { LogRecord } from '../record.ts';
import { RecordSearch } from '../record-query.ts';

const MAX_COLUMNS = 1_000;
const RATINGS = ['feedback_rating_info', 'annotations', 'annotation_aggregates', 'annotation_truths'] as const;

export const SelectColumns = z
  .object({
    column_ids: withDefault(z.array(z.string().max(1100)).max(MAX_COLUMNS), []),
    include_all_metrics: withDefault(z.boolean(), false),
    include_all_feedback: withDefault(z.boolean(), false),
  })
  .meta({ id: 'SelectColumns' });
export type SelectColumns = z.output<typeof SelectColumns>;

export const PartialSearch = RecordSearch.extend({ select_columns: SelectColumns }).meta({ id: 'PartialSearch' });
export type PartialSearch = z.output<typeof PartialSearch>;

/** Part of a record: its type, its id and what was asked for. */
export type PartialView = Readonly<Record<string, unknown>>;

export interface Selection {
  /** Fields of records that the selection reads. */
  readonly fields: ReadonlySet<keyof LogRecord>;
  /** From a trace, a span or a session as the API shows it. */
  pick(view: PartialView): PartialView;
}

/** Throws AppError `invalid` with the place of every column that is not known. */
export function toSelection(
  { column_ids, include_all_metrics, include_all_feedback }: SelectColumns,
  isKnown = (id: string): boolean => findColumn(id) !== undefined,
): Selection {
  const issues = column_ids.flatMap((id, index) => (isKnown(id) ? [] : [unknownColumn(id, index)]));
  if (issues.length > 0) throw new AppError('invalid', 'column_unknown', 'unknown columns', { issues });
  const ratings = column_ids.map(parseRatingColumn).filter((one) => one !== undefined);
  const agreements = column_ids.map(parseAgreementColumn).filter((one) => one !== undefined);
  const plain = column_ids.filter((id) => !parseOwnName(id) && !parseRatingColumn(id) && parseAgreementColumn(id) === undefined);
  const own = Map.groupBy(
    column_ids.map(parseOwnName).filter((one) => one !== undefined),
    ({ place }) => place,
  );
  const places = [...own].map(([place, names]) => [place, new Set(names.map(({ name }) => name))] as const);
  const metrics = new Map(places).get('metrics');
  const scores = new Set([...(metrics ?? []), ...agreements]);
  return {
    fields: new Set([
      ...plain.map(getField),
      ...places.map(([place]) => place),
      ...(include_all_metrics ? (['metrics'] as const) : []),
      // Whether a score is still to come may depend on it.
      ...(include_all_metrics || scores.size > 0 ? (['user_metadata'] as const) : []),
    ]),
    pick: (view) => ({
      type: view.type,
      id: view.id,
      ...Object.fromEntries(plain.filter((id) => id in view).map((id) => [id, view[id]])),
      ...Object.fromEntries(places.map(([place, wanted]) => [place, picked(view[place], wanted)])),
      ...(scores.size > 0 ? { metric_info: picked(view.metric_info, scores) } : {}),
      ...(include_all_metrics ? { metrics: view.metrics, metric_info: view.metric_info } : {}),
      ...toRatings(view, ratings),
      ...(include_all_feedback ? Object.fromEntries(RATINGS.map((name) => [name, view[name] ?? {}])) : {}),
    }),
  };
}

/** The fields that hold these columns of ratings, with them alone. */
function toRatings(view: PartialView, ratings: readonly RatingColumn[]): PartialView {
  const named = (place: RatingColumn['place']) => new Set(ratings.filter((one) => one.place === place).map(({ name }) => name));
  const [feedback, annotations] = [named('feedback'), named('annotations')];
  const fields = ['annotations', 'annotation_truths'] as const;
  return {
    ...(feedback.size > 0 ? { feedback_rating_info: picked(view.feedback_rating_info, feedback) } : {}),
    ...(annotations.size > 0 ? Object.fromEntries(fields.map((name) => [name, picked(view[name], annotations)])) : {}),
  };
}

const unknownColumn = (input: string, index: number): Issue => ({
  loc: ['body', 'select_columns', 'column_ids', index],
  msg: 'unknown column',
  type: 'column_unknown',
  input,
});

/** Where the value of a standard column is kept. */
const getField = (id: string): keyof LogRecord => (Object.hasOwn(OWN_FIELDS, id) ? 'attributes' : (id as keyof LogRecord));

/** Not every level has each of these maps. */
const picked = (values: unknown, wanted: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries((values ?? {}) as object).filter(([name]) => wanted.has(name)));
