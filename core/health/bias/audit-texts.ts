/** Texts that a record is made of. */
export interface AuditTexts {
  readonly question: string;
  readonly document: string;
  readonly answer: string;
  /** The right answer, for judges that are told it. */
  readonly truth: string;
}

/** Parts of a record, in the order in which they are taken for what the judge judges: the first that it is shown. */
export const TEXT_PLACES = ['answer', 'document', 'question'] as const;
export type TextPlace = (typeof TEXT_PLACES)[number];

/** A text that probes change. Without `options` there are no two to swap, without `translated` none in another language. */
export interface AuditCase {
  readonly id: string;
  readonly texts: AuditTexts;
  /** Two answers, of which the one in `texts` is first. */
  readonly options?: readonly [chosen: string, other: string];
  readonly translated?: AuditTexts;
  /** Whether attempts to lead the judge astray are made with it. */
  readonly is_weak: boolean;
}

export const changeText = (texts: AuditTexts, place: TextPlace, change: (text: string) => string): AuditTexts => ({
  ...texts,
  [place]: change(texts[place]),
});
