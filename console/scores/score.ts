/** Result of one scorer for one record. */
export interface ScoreInfo {
  readonly status_type: string;
  readonly value?: unknown;
  readonly explanation?: string | null;
  readonly message?: string | null;
  /** The text that a program printed, of trials. */
  readonly printed?: string | null;
  readonly scorer_type?: string | null;
  readonly model_alias?: string | null;
  readonly num_judges?: number | null;
  /** Of several judges: the share that said the same. */
  readonly agreement?: number;
  readonly cost?: number | null;
  /** Of what stands below the record, by method. */
  readonly roll_up_metrics?: Readonly<Record<string, unknown>>;
}

/** The `metric_info` of a record: its scores by the names of the scorers. */
export type Scores = Readonly<Record<string, ScoreInfo>>;

/** Scores of the record itself, not of those below it. */
export const ownScores = (scores: Scores): Scores =>
  Object.fromEntries(Object.entries(scores).filter(([, { status_type }]) => status_type !== 'roll_up'));

const UNTOLD = new Set(['not_computed', 'not_applicable']);

/** Lists the scores with a result: neither those not computed, nor those that do not apply. */
export const listShownScores = (scores: Scores): [name: string, ScoreInfo][] =>
  Object.entries(scores).filter(([, { status_type }]) => !UNTOLD.has(status_type));

/** A record as the API shows it, its scores by what is known of them. */
export type WithScores<T> = T & { readonly metric_info: Scores };
