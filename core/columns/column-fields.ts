import { z } from 'zod';

/** Fields that columns of records and of experiments have in common: clients show both in the same tables. */
export const columnFields = {
  multi_valued: z.boolean(),
  is_empty: z.boolean(),
  complex: z.boolean(),
  is_optional: z.boolean(),
  sortable: z.boolean(),
  filterable: z.boolean(),
};

/** Description of a column that is plain: without unit, words of its own, or several values. */
export const PLAIN_COLUMN = {
  data_unit: null,
  description: null,
  multi_valued: false,
  complex: false,
  is_optional: false,
  allowed_values: null,
} as const;
