/** How results below a record come together: all that fit when none is named. `avg` is `average` by another name. */
export const ROLL_UP_METHODS = ['average', 'sum', 'max', 'min', 'category_count', 'avg', 'first', 'last', 'none'] as const;
