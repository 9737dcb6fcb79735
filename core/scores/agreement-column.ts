const PLACE = 'agreement/';

/** Id of the column that says how far the judges of a scorer agree. */
export const toAgreementColumnId = (metric_name: string): string => `${PLACE}${metric_name}`;

/** The metric in an id such as `agreement/politeness`; undefined for any other id. */
export const parseAgreementColumn = (id: string): string | undefined =>
  id.startsWith(PLACE) && id.length > PLACE.length ? id.slice(PLACE.length) : undefined;
