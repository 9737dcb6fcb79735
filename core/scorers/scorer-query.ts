import { z } from 'zod';
import { withDefault } from '../kernel/optional.ts';
import {
  collectionFilter,
  dateFilter,
  enumFilter,
  type Filter,
  FilterText,
  filterList,
  idFilter,
  stringFilter,
} from '../kernel/query/filter.ts';
import { Id } from '../kernel/text.ts';
import { asPresetName } from '../kernel/vocabulary.ts';
import { PRESET } from './kinds/scorer-kinds.ts';

export type ScorerFilterName =
  | 'id'
  | 'name'
  | 'label'
  | 'scorer_type'
  | 'model_type'
  | 'tags'
  | 'creator'
  | 'created_at'
  | 'updated_at';
export type ScorerListFilter = Filter<ScorerFilterName>;

const scorerFilter = (types: readonly string[]) =>
  z.discriminatedUnion('name', [
    idFilter('id'),
    stringFilter('name', { case_sensitive: false }, asPresetName(FilterText)),
    stringFilter('label'),
    enumFilter('scorer_type', [...types, PRESET]),
    enumFilter('model_type', ['slm', 'llm', 'code']),
    collectionFilter('tags'),
    idFilter('creator'),
    dateFilter('created_at'),
    dateFilter('updated_at'),
  ]);

const ascending = withDefault(z.boolean(), true);
const ScorerSort = z.discriminatedUnion('name', [
  z.object({ name: z.literal('name'), ascending, sort_type: z.literal('column').nullish() }),
  z.object({ name: z.literal('enabled_in_run'), ascending, sort_type: z.literal('custom_uuid').nullish(), value: Id }),
]);

/** Schema of searches for scorers of these types and presets. `value` of the sort names a run. */
export const scorerSearchSchema = (types: readonly string[]) =>
  z
    .object({
      filters: filterList(scorerFilter(types)),
      sort: withDefault(ScorerSort, { name: 'name', ascending: true }),
    })
    .meta({ id: 'ScorerSearch' });
export type ScorerSearch = z.output<ReturnType<typeof scorerSearchSchema>>;

/** Order of scorers in a store: names by code point; first those that are not among the enabled ones, or those that are. */
export type ScorerOrder =
  | { readonly name: 'name'; readonly ascending: boolean }
  | { readonly name: 'enabled_in_run'; readonly ascending: boolean; readonly enabled: readonly string[] };
