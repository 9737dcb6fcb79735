/** How results below a record come together: all that fit when none is named. `avg` is `average` by another name. */
export const ROLL_UP_METHODS = ['average', 'sum', 'max', 'min', 'category_count', 'avg', 'first', 'last', 'none'] as const;

const NUMERIC = ['average', 'sum', 'max', 'min'];
const CATEGORICAL = ['category_count'];

const METHODS_OF: Readonly<Record<string, readonly string[]>> = {
  boolean: NUMERIC,
  count: NUMERIC,
  discrete: NUMERIC,
  percentage: NUMERIC,
  categorical: CATEGORICAL,
  multilabel: CATEGORICAL,
  boolean_multilabel: CATEGORICAL,
};

/** Methods that fit values of an output type; none for texts and lists, all while the type is not known. */
export const getRollUpMethods = (output_type: string | null): readonly string[] =>
  output_type === null ? [...NUMERIC, ...CATEGORICAL] : (METHODS_OF[output_type] ?? []);
