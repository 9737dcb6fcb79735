/** The column that holds ground truth where nothing else is said. */
export const TRUTH_COLUMN = 'mgt';

/** In which column of a dataset is what is right for a scorer. A column is known by its key, so it may be renamed. */
export interface TruthColumns {
  /** Null takes the choice back; that there was none is no error. */
  choose(dataset_id: string, scorer_id: string, column_key: number | null): Promise<void>;
  find(dataset_id: string, scorer_id: string): Promise<number | undefined>;
  /** Keys of columns by scorer. */
  list(dataset_id: string): Promise<Map<string, number>>;
}
