import { z } from 'zod';
import { compareText } from '../kernel/query/sort.ts';
import { computeCohenKappa, computeFleissKappa, computeKrippendorffAlpha, type Rated, type Scale } from './agreement.ts';
import type { RatingType, RatingValue } from './rating.ts';
import type { Annotation } from './rating-store.ts';

/** Pairs of raters grow by the square: those who gave the most answers are compared. */
const MAX_COMPARED = 20;

const SCALES: Readonly<Record<RatingType, Scale>> = {
  like_dislike: 'nominal',
  tags: 'nominal',
  text: 'nominal',
  star: 'ordinal',
  score: 'interval',
};

const Coefficient = z
  .number()
  .nullable()
  .describe('1: raters agree throughout, 0: as by chance. Null where nothing could differ.');

/** How far the raters of a question agree on the records of a run. */
export const Agreement = z
  .object({
    num_raters: z.int(),
    num_records: z.int().describe('Records with an answer.'),
    num_shared: z.int().describe('Those with the answers of several raters: agreement is about them alone.'),
    scale: z
      .enum(['nominal', 'ordinal', 'interval'])
      .describe('How far apart two answers are: of stars by rank, of scores by number.'),
    krippendorff_alpha: Coefficient,
    fleiss_kappa: Coefficient.describe('Null too where shared records have different numbers of answers.'),
    pairs: z
      .array(
        z.object({
          annotator_ids: z.tuple([z.string(), z.string()]),
          num_records: z.int().describe('Records that both answered.'),
          cohen_kappa: Coefficient,
        }),
      )
      .describe(`Of the ${MAX_COMPARED} raters with the most answers, those that share records.`),
  })
  .meta({ id: 'RaterAgreement' });
export type Agreement = z.output<typeof Agreement>;

/** Of answers to one question; a reviewer's decisions are no part of it. */
export function computeAgreement(answers: readonly Annotation[], type: RatingType): Agreement {
  const scale = SCALES[type];
  const byRecord = [...Map.groupBy(answers, ({ record_id }) => record_id).values()];
  const shared = byRecord.filter(({ length }) => length > 1);
  const units = shared.map((unit) => unit.map(({ value }) => toRated(value)));
  const byRater = Map.groupBy(answers, ({ annotator_id }) => annotator_id);
  return {
    num_raters: byRater.size,
    num_records: byRecord.length,
    num_shared: shared.length,
    scale,
    krippendorff_alpha: computeKrippendorffAlpha(scale, units),
    fleiss_kappa: computeFleissKappa(units),
    pairs: toPairs([...byRater]),
  };
}

function toPairs(byRater: readonly [string, readonly Annotation[]][]): Agreement['pairs'] {
  const raters = byRater
    .toSorted(([a, left], [b, right]) => right.length - left.length || compareText(a, b))
    .slice(0, MAX_COMPARED)
    .map(([id, answers]) => ({ id, values: new Map(answers.map(({ record_id, value }) => [record_id, toRated(value)])) }));
  return raters.flatMap((one, at) =>
    raters.slice(at + 1).flatMap((other) => {
      const pairs = [...one.values].flatMap(([record_id, value]): [Rated, Rated][] => {
        const opposite = other.values.get(record_id);
        return opposite === undefined ? [] : [[value, opposite]];
      });
      if (pairs.length === 0) return [];
      return [
        {
          annotator_ids: [one.id, other.id] as [string, string],
          num_records: pairs.length,
          cohen_kappa: computeCohenKappa(pairs),
        },
      ];
    }),
  );
}

/** Tags are one answer, whatever their order. */
const toRated = (value: RatingValue): Rated =>
  typeof value === 'number'
    ? value
    : typeof value === 'object'
      ? JSON.stringify([...new Set(value)].sort(compareText))
      : String(value);
