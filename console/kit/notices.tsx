import type { ComponentChildren } from 'preact';
import { ApiFailure, toErrorMessage } from '../api/failure.ts';
import type { Loaded } from './use-loaded.ts';

/** A failure in words, with what to quote when asking for help. */
export function Failure({ error }: { error: unknown }) {
  if (error === undefined || error === null) return null;
  const known = error instanceof ApiFailure ? error : undefined;
  return (
    <div class="alert alert-danger py-2" role="alert">
      {toErrorMessage(error)}
      {known && (
        <div class="small opacity-75">
          {known.code}
          {known.requestId && <> · request {known.requestId}</>}
        </div>
      )}
    </div>
  );
}

export const Waiting = ({ what = 'Loading' }: { what?: string }) => (
  <p class="text-body-secondary waiting" role="status">
    {what} …
  </p>
);

/** Placeholder for a list without entries, with the next step. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <section class="empty">
      <h2 class="h6">{title}</h2>
      {children}
    </section>
  );
}

/** Shows a loaded value, or that it is on its way, or why it is not there; an old value stays beside a failure. */
export function Show<T>({ loaded, children }: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  const { value, error, loading } = loaded;
  return (
    <>
      <Failure error={error} />
      {value !== undefined ? children(value) : loading && <Waiting />}
    </>
  );
}
