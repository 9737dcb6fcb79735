import type { AuditEntry } from '../../core/access/audit/audit.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import { get } from '../api/client.ts';
import { useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { Pager } from '../kit/pager.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { PeopleHead } from '../people/people-head.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { toAuditQuery } from './audit-query.ts';
import { AuditTable } from './audit-table.tsx';
import { ChainCheck } from './chain-check.tsx';

type AuditPage = PageFields & { readonly entries: readonly AuditEntry[] };
const LIMIT = 100;

/** Who did what, newest first. The address bar holds the filters. */
export function AuditLogPage() {
  const [view, change] = useView();
  const starting_token = Number(view.get('page_from') ?? 0);
  const query = { ...toAuditQuery(view), starting_token, limit: LIMIT };
  const loaded = useLoaded(`audit ${JSON.stringify(query)}`, (signal) => get<AuditPage>('/audit_log', { query, signal }));
  return (
    <>
      <PeopleHead active="/audit">
        <ChainCheck />
      </PeopleHead>
      <AuditFilters view={view} change={(filters) => change({ ...filters, page_from: undefined })} />
      <Show loaded={loaded}>
        {(page) =>
          page.entries.length === 0 ? (
            <Empty title="No events">
              <p>Take a filter away to see more.</p>
            </Empty>
          ) : (
            <>
              <AuditTable entries={page.entries} narrow={(filters) => change({ ...filters, page_from: undefined })} />
              <Pager page={page} onTurn={(from) => change({ page_from: from === 0 ? undefined : String(from) })} />
            </>
          )
        }
      </Show>
    </>
  );
}
