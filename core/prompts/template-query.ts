import { z } from 'zod';
import { customUuidFilter, type Filter, filterList, idFilter, stringFilter } from '../kernel/query/filter.ts';
import { type Sort, sortBy } from '../kernel/query/sort.ts';

export type TemplateFilterName = 'id' | 'name' | 'creator' | 'used_in_project' | 'not_in_project';
export type TemplateFilter = Filter<TemplateFilterName>;
export type TemplateSort = Sort<'name' | 'created_at' | 'updated_at'>;
export type TemplateVersionSort = Sort<'version' | 'created_at' | 'updated_at'>;

export const NEWEST_TEMPLATES_FIRST: TemplateSort = { name: 'created_at', ascending: false };
const NEWEST_VERSIONS_FIRST: TemplateVersionSort = { name: 'version', ascending: false };

const TemplateFilterSchema = z.discriminatedUnion('name', [
  stringFilter('name'),
  idFilter('creator'),
  customUuidFilter('used_in_project'),
  customUuidFilter('not_in_project'),
]);

export const TemplateSearch = z
  .object({
    filters: filterList(TemplateFilterSchema),
    sort: sortBy({ name: 'column', created_at: 'column', updated_at: 'column' }, NEWEST_TEMPLATES_FIRST),
  })
  .meta({ id: 'TemplateSearch' });
export type TemplateSearch = { readonly filters: readonly TemplateFilter[]; readonly sort: TemplateSort };

export const TemplateVersionSearch = z
  .object({ sort: sortBy({ version: 'column', created_at: 'column', updated_at: 'column' }, NEWEST_VERSIONS_FIRST) })
  .meta({ id: 'TemplateVersionSearch' });
export type TemplateVersionSearch = z.output<typeof TemplateVersionSearch>;
