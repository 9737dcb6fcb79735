import type { FilterTree, RecordFilter } from '../../core/traces/record-query.ts';
import type { RecordsView } from './view.ts';

/** Column of sessions: whether a trace that was logged outside of sessions is it by itself. */
const IMPLICIT = 'is_implicit';

const REAL_ONLY: RecordFilter = { type: 'boolean', column_id: IMPLICIT, operator: 'eq', value: false };

type Listed = Pick<RecordsView, 'level' | 'showsImplicit' | 'filters' | 'tree'>;

/** Whether any condition of the view says itself which sessions are meant. */
export const asksForImplicit = ({ filters, tree }: Pick<Listed, 'filters' | 'tree'>): boolean =>
  filters.some(isOnImplicit) || (tree !== undefined && isInTree(tree));

/** Whether a list of sessions leaves out traces that are one by themselves, which it does unless somebody wants to see them. */
export const hidesImplicit = (view: Listed): boolean => view.level === 'session' && !view.showsImplicit && !asksForImplicit(view);

/** The filters of a view with the one that holds unsaid. */
export const toAllFilters = (view: Listed): readonly RecordFilter[] =>
  hidesImplicit(view) ? [...view.filters, REAL_ONLY] : view.filters;

/** `toAllFilters` in reverse: the filters to show, and whether sessions are listed with those that traces are by themselves. */
export function parseAllFilters(level: string, all: readonly RecordFilter[]) {
  const isReal = (one: RecordFilter): boolean => isOnImplicit(one) && one.operator === 'eq' && one.value === false;
  const filters = level === 'session' ? all.filter((one) => !isReal(one)) : [...all];
  return { filters, showsImplicit: level === 'session' && !all.some(isOnImplicit) };
}

const isOnImplicit = ({ column_id }: RecordFilter): boolean => column_id === IMPLICIT;

function isInTree(tree: FilterTree): boolean {
  if ('filter' in tree) return isOnImplicit(tree.filter);
  if ('not' in tree) return isInTree(tree.not);
  return ('and' in tree ? tree.and : tree.or).some(isInTree);
}
