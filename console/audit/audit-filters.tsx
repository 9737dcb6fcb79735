import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { ViewChanges } from '../kit/location.ts';
import { Failure } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { allUsers } from '../people/users.ts';
import { AUDIT_FILTERS, parseInstant, parseLocalTime } from './audit-query.ts';

interface AuditFiltersProps {
  readonly view: URLSearchParams;
  readonly change: (filters: ViewChanges) => void;
}

const NONE: ViewChanges = Object.fromEntries(AUDIT_FILTERS.map((name) => [name, undefined]));

export function AuditFilters({ view, change }: AuditFiltersProps) {
  const { value: users = [], error } = useLoaded('all users', (signal) => allUsers(signal));
  const isNarrowed = AUDIT_FILTERS.some((name) => view.has(name));
  return (
    <>
      <Failure error={error} />
      <search class="audit-filters d-flex flex-wrap gap-2 align-items-end mb-3">
        <Labelled label="Actor">
          {(id) => (
            <select
              class="form-select form-select-sm"
              id={id}
              value={view.get('actor_id') ?? ''}
              onChange={({ currentTarget }) => change({ actor_id: currentTarget.value })}
            >
              <option value="">everybody</option>
              {users.map((user) => (
                <option key={user.id} value={user.id}>
                  {user.email}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <TextFilter label="Action" placeholder="user.create" name="action" view={view} change={change} />
        <TextFilter label="Object type" placeholder="project" name="object_kind" view={view} change={change} />
        <TextFilter label="Object ID" placeholder="" name="object_id" view={view} change={change} />
        <TimeFilter label="From" name="from" view={view} change={change} />
        <TimeFilter label="Before" name="to" view={view} change={change} />
        {isNarrowed && (
          <button type="button" class="btn btn-sm btn-outline-secondary" onClick={() => change(NONE)}>
            Show all
          </button>
        )}
      </search>
    </>
  );
}

function Labelled({ label, children }: { label: string; children: (id: string) => ComponentChildren }) {
  const id = useId();
  return (
    <div>
      <label class="form-label small mb-0" for={id}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}

interface OneFilterProps extends AuditFiltersProps {
  readonly label: string;
  readonly name: string;
}

/** Names are taken as a whole: it is asked when one has typed, not at each letter. */
const TextFilter = ({ label, name, placeholder, view, change }: OneFilterProps & { readonly placeholder: string }) => (
  <Labelled label={label}>
    {(id) => (
      <input
        class="form-control form-control-sm"
        type="search"
        id={id}
        placeholder={placeholder}
        value={view.get(name) ?? ''}
        onChange={({ currentTarget }) => change({ [name]: currentTarget.value.trim() })}
      />
    )}
  </Labelled>
);

const TimeFilter = ({ label, name, view, change }: OneFilterProps) => (
  <Labelled label={label}>
    {(id) => (
      <input
        class="form-control form-control-sm"
        type="datetime-local"
        id={id}
        value={parseLocalTime(view.get(name))}
        onChange={({ currentTarget }) => change({ [name]: parseInstant(currentTarget.value) })}
      />
    )}
  </Labelled>
);
