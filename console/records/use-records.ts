import { useEffect, useRef, useState } from 'preact/hooks';
import { type Loaded, useLoaded } from '../kit/use-loaded.ts';
import { findArrivals } from './arrivals.ts';
import { searchedByDefault } from './column.ts';
import { hidesImplicit } from './implicit-sessions.ts';
import type { Place } from './level.ts';
import { PAGE_SIZE, type RecordPage, searchRecords, toSearchSelection } from './search.ts';
import { isFirstPage, isNewestFirst, isSelective, type RecordsView } from './view.ts';

const PAUSE_MS = 3_000;

export interface LiveRecords {
  readonly page: Loaded<RecordPage>;
  /** Records that arrived since the page was opened. */
  readonly arrived: ReadonlySet<string>;
  /** Whether there is nothing in the whole log stream. */
  readonly isEmpty: boolean;
  /** Whether the query is run though it is expensive, because somebody asked for it. */
  readonly isAllowed: boolean;
  allow(): void;
}

/** New records come first only in this order; on any other page they would go unseen. */
export const canBeLive = (view: RecordsView): boolean => isFirstPage(view) && isNewestFirst(view);

/**
 * The page of records that the view asks for, asked for before anything else. While it is live it is looked at again a
 * little after each answer, so a slow service is not asked twice at once; a log stream without records always is.
 */
export function useRecords(place: Place, view: RecordsView): LiveRecords {
  const columns = view.columns ?? searchedByDefault(place.level);
  const { after, before, sort } = view;
  const key = JSON.stringify([place, toSearchSelection(place, view), columns, sort, after, before]);
  const asked = JSON.stringify([place, toSearchSelection(place, view), sort]);
  const [allowed, setAllowed] = useState<string | undefined>(undefined);
  const isAllowed = allowed === asked;
  const page = useLoaded(`${key} ${isAllowed}`, (signal) => searchRecords(place, view, columns, signal, isAllowed));
  const isEmpty = page.value?.records.length === 0 && isFirstPage(view) && !isSelective(view) && !hidesImplicit(view);
  useRepeated(page, isEmpty || (view.live && canBeLive(view)));
  return { page, arrived: useArrivals(key, page.value), isEmpty, isAllowed, allow: () => setAllowed(asked) };
}

function useRepeated({ loading, reload }: Loaded<unknown>, isOn: boolean): void {
  useEffect(() => {
    if (!isOn || loading) return;
    let timer = 0;
    const look = (): void => {
      if (document.hidden) timer = setTimeout(look, PAUSE_MS) as unknown as number;
      else reload();
    };
    timer = setTimeout(look, PAUSE_MS) as unknown as number;
    return () => clearTimeout(timer);
  }, [isOn, loading, reload]);
}

interface Seen {
  readonly key: string;
  readonly known: ReadonlySet<string>;
  readonly arrived: ReadonlySet<string>;
}

function useArrivals(key: string, page: RecordPage | undefined): ReadonlySet<string> {
  const seen = useRef<Seen | undefined>(undefined);
  if (page) {
    const ids = page.records.map(({ id }) => id);
    const before = seen.current?.key === key ? seen.current : undefined;
    const fresh = before ? findArrivals(before.known, ids, ids.length === PAGE_SIZE) : [];
    if (!before || fresh.length > 0)
      seen.current = {
        key,
        known: new Set([...(before?.known ?? []), ...ids]),
        arrived: new Set([...(before?.arrived ?? []), ...fresh]),
      };
  }
  return seen.current?.key === key ? seen.current.arrived : NONE;
}

const NONE: ReadonlySet<string> = new Set();
