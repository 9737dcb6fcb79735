import { useState } from 'preact/hooks';
import type { ColumnDescriptor } from '../../core/columns/available-columns.ts';
import type { FacetPage } from '../../core/traces/read/facet.ts';
import { post } from '../api/client.ts';
import { clipped, numberText } from '../kit/formatting.ts';
import { useView } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { columnsOfLevel, type Descriptors } from './column.ts';
import { type Place, toApiPath } from './level.ts';
import { COMMENTS, withValue } from './quick-filters.ts';
import { findCost, RunAnyway } from './run-anyway.tsx';
import { toSearchSelection } from './search.ts';
import { filterChanges, type RecordsView } from './view.ts';

interface FacetsProps {
  readonly place: Place;
  readonly view: RecordsView;
  readonly descriptors: Descriptors;
}

const FIRST = ['type', 'name', 'model', 'tags', COMMENTS];
/** The API takes more; a side bar of more is not read. */
const MOST = 8;

/** The most frequent values of columns over what the filters leave, each with how many records have it; a press adds it to the filters. */
export function Facets({ place, view, descriptors }: FacetsProps) {
  const columns = facetColumns(columnsOfLevel(descriptors, place.level));
  return (
    <aside class="facets" aria-label="Facets">
      {columns.length > 0 && <Counted place={place} view={view} columns={columns} />}
    </aside>
  );
}

function Counted({ place, view, columns }: Pick<FacetsProps, 'place' | 'view'> & { columns: readonly ColumnDescriptor[] }) {
  const [, change] = useView();
  const [allowed, setAllowed] = useState<string | undefined>(undefined);
  const body = { ...toSearchSelection(place, view), column_ids: columns.map(({ id }) => id), limit: 10 };
  const key = JSON.stringify([place, body]);
  const allow_expensive = allowed === key;
  const loaded = useLoaded(`facets ${key} ${allow_expensive}`, (signal) =>
    post<FacetPage>(`${toApiPath(place)}/facets`, { ...body, ...(allow_expensive && { allow_expensive }) }, { signal }),
  );
  const explain = (error: unknown) => {
    const cost = findCost(error);
    return cost && <RunAnyway cost={cost} onRun={() => setAllowed(key)} />;
  };
  return (
    <Show loaded={loaded} explain={explain}>
      {({ facets }) =>
        facets
          .filter(({ values }) => values.length > 0)
          .map(({ column_id, values, is_cut }) => {
            const column = columns.find(({ id }) => id === column_id)!;
            return (
              <section key={column_id} aria-label={column.label}>
                <h3 class="side-title">{column.label}</h3>
                <ul class="list-unstyled mb-3">
                  {values.map(({ value, count }) => (
                    <li key={value}>
                      <button
                        type="button"
                        class="facet"
                        onClick={() => change(filterChanges(withValue(view.filters, column, value)))}
                      >
                        <span class="text-truncate" dir="auto" title={value}>
                          {clipped(value, 60) || '(empty)'}
                        </span>
                        <span class="facet-count">{numberText(count)}</span>
                      </button>
                    </li>
                  ))}
                  {is_cut && <li class="small text-body-secondary">and more</li>}
                </ul>
              </section>
            );
          })
      }
    </Show>
  );
}

/** Columns whose values are worth counting: names, types, models, tags, numbers of comments, then those of the senders. */
export function facetColumns(columns: readonly ColumnDescriptor[]): readonly ColumnDescriptor[] {
  const isCounted = ({ id, filter_type, sortable, is_empty }: ColumnDescriptor): boolean =>
    !is_empty && (id === 'tags' || id === COMMENTS || (sortable && (filter_type === 'text' || filter_type === 'boolean')));
  const isLong = ({ id }: ColumnDescriptor): boolean => /(^|_)(input|output)$/.test(id) || id.endsWith('external_id');
  const rank = ({ id }: ColumnDescriptor): number => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length);
  const found = columns.filter((one) => isCounted(one) && !isLong(one) && !one.scorer_id);
  return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST);
}
