import { type SystemMetricName, systemMetricEntry } from '../traces/catalogue/system-metrics.ts';
import { isOfLevel } from '../traces/columns/column.ts';
import type { RunWindow } from '../traces/columns/column-store.ts';
import { isFilled } from '../traces/columns/filled-column.ts';
import { isNameOfColumn, MAX_NAMES_PER_PLACE, MAX_OWN_COLUMNS } from '../traces/columns/observed-columns.ts';
import type { FilterTree } from '../traces/record-query.ts';
import { NEWEST_FIRST } from '../traces/record-query.ts';
import type { Session } from '../traces/sessions/session.ts';
import { filteredAs, IS_IMPLICIT, NUM_TRACES, SESSION_NUMBERS } from '../traces/sessions/session-column.ts';
import type { SessionStore } from '../traces/sessions/session-store.ts';
import type { ColumnDescriptor } from './available-columns.ts';
import { getUnit, standardColumns, type Undecided } from './column-descriptors.ts';
import { PLAIN_COLUMN } from './column-fields.ts';

/** Sessions that are looked at for names of metadata. */
const LOOKED_AT = 100;

/** Lists the columns of sessions themselves: standard ones, numbers from their traces, and the metadata of the newest sessions. */
export async function sessionColumns(store: SessionStore, window: RunWindow): Promise<ColumnDescriptor[]> {
  const newest = await list(store, window, [], LOOKED_AT);
  const standard = standardColumns().filter(({ applicable_types }) => isOfLevel(applicable_types, 'session'));
  const decided = standard.map(async (column) => ({ ...column, is_empty: !(await hasAny(store, window, newest, column)) }));
  const told = { ...IMPLICIT_COLUMN, is_empty: newest.length === 0 };
  return [...(await Promise.all(decided)), told, ...numberColumns(newest), ...metadataColumns(newest)];
}

const IMPLICIT_COLUMN = {
  ...PLAIN_COLUMN,
  id: IS_IMPLICIT,
  category: 'standard',
  data_type: 'boolean',
  filter_type: 'boolean',
  label: 'Implicit',
  description: 'Whether it is a trace that was logged outside of sessions, which is a session by itself.',
  group_label: 'General',
  sortable: false,
  filterable: true,
  applicable_types: ['session'],
} satisfies Omit<ColumnDescriptor, 'is_empty'>;

/** Of one that sessions may lack, as costs, the newest ones tell whether it is empty. */
const numberColumns = (newest: readonly Session[]): ColumnDescriptor[] =>
  SESSION_NUMBERS.map((id) => {
    const name = id.slice(id.indexOf('/') + 1);
    const described = DESCRIBED[name] ?? systemMetricEntry(name as SystemMetricName);
    return {
      ...PLAIN_COLUMN,
      id,
      category: id === NUM_TRACES ? 'standard' : 'metric',
      data_type: name === 'cost' ? 'floating_point' : 'integer',
      data_unit: getUnit(id) ?? (name === 'duration_ns' ? 'nano_seconds' : null),
      filter_type: 'number',
      label: described.label,
      description: described.description,
      group_label: id === NUM_TRACES ? 'General' : 'Sums over traces',
      is_empty: !newest.some((session) => filteredAs(session).metrics[name] !== undefined),
      is_optional: id !== NUM_TRACES,
      sortable: true,
      filterable: true,
      applicable_types: ['session'],
    };
  });

/** Numbers that are no system metrics. */
const DESCRIBED: Readonly<Record<string, { readonly label: string; readonly description: string }>> = {
  num_traces: { label: 'Traces', description: 'How many traces the session has.' },
  cost: { label: 'Cost', description: 'Cost of all calls of models.' },
};

async function hasAny(
  store: SessionStore,
  window: RunWindow,
  newest: readonly Session[],
  { id, data_type }: Undecided,
): Promise<boolean> {
  if (newest.length === 0 || data_type !== 'text') return newest.length > 0;
  if (newest.length < LOOKED_AT)
    return newest.some((session) => isFilled(session[id as 'input' | 'output' | 'name' | 'external_id']));
  const text = { type: 'text', column_id: id, case_sensitive: true } as const;
  const isThere: FilterTree = { filter: { ...text, operator: 'contains', value: '' } };
  const isEmpty: FilterTree = { filter: { ...text, operator: 'one_of', value: ['', '[]'] } };
  return (await list(store, window, [isThere, { not: isEmpty }], 1)).length > 0;
}

async function list(
  store: SessionStore,
  { project_id, run_id, start_time, end_time }: RunWindow,
  conditions: readonly FilterTree[],
  limit: number,
): Promise<Session[]> {
  const created = { type: 'date', column_id: 'created_at' } as const;
  const from: FilterTree[] = start_time === undefined ? [] : [{ filter: { ...created, operator: 'gte', value: start_time } }];
  const to: FilterTree[] = end_time === undefined ? [] : [{ filter: { ...created, operator: 'lte', value: end_time } }];
  const where = { and: [...from, ...to, ...conditions] };
  const found = await store.list({ project_id, run_id, where, sort: NEWEST_FIRST, starting_token: 0, limit, after: undefined });
  return found.slice(0, limit);
}

function metadataColumns(sessions: readonly Session[]): ColumnDescriptor[] {
  return filledNames(sessions).map((name) => ({
    ...PLAIN_COLUMN,
    id: `user_metadata/${name}`,
    category: 'user_metadata',
    data_type: 'text',
    filter_type: 'text',
    label: name,
    group_label: 'User metadata',
    is_empty: false,
    is_optional: true,
    sortable: true,
    filterable: true,
    applicable_types: ['session'],
  }));
}

/** Within the bounds that hold for the names in records. */
function filledNames(sessions: readonly Session[]): string[] {
  const filled = new Set<string>();
  for (const { user_metadata } of sessions) {
    let looked = 0;
    for (const name in user_metadata) {
      looked += 1;
      if (looked > MAX_NAMES_PER_PLACE || filled.size >= MAX_OWN_COLUMNS) break;
      if (isNameOfColumn(name) && isFilled(user_metadata[name]!)) filled.add(name);
    }
  }
  return [...filled].sort();
}
