/** The words by which the address bar and the API narrow the audit log; `from` and `to` are instants in ISO 8601. */
export const AUDIT_FILTERS = ['actor_id', 'action', 'object_kind', 'object_id', 'from', 'to'] as const;
export type AuditFilter = (typeof AUDIT_FILTERS)[number];

/** Converts the words of the address bar to a query of the API. */
export const toAuditQuery = (view: URLSearchParams): Partial<Record<AuditFilter, string>> =>
  Object.fromEntries(AUDIT_FILTERS.flatMap((name) => (view.get(name) ? [[name, view.get(name)!]] : [])));

/** An instant as a field for date and time shows it, in this place's time; empty for none. */
export function parseLocalTime(iso: string | null): string {
  if (!iso || Number.isNaN(Date.parse(iso))) return '';
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The other way round; undefined for an empty field. */
export const parseInstant = (local: string): string | undefined => (local === '' ? undefined : new Date(local).toISOString());

/** Details on one line, as `name=value`. */
export const detailsText = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}=${value === null ? '–' : String(value)}`)
    .join(', ');
