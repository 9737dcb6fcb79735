import type { ComponentChildren } from 'preact';
import { ApiFailure, toErrorMessage } from '../api/failure.ts';
import type { Loaded } from './use-loaded.ts';

/** Failures that say more about the service than about what somebody can do. */
const SENTENCES: Readonly<Record<string, string>> = {
  project_not_found: "You don't have access to this project, or it doesn't exist.",
};

interface FailureProps {
  readonly error: unknown;
  /** Tries again what failed. */
  readonly onRetry?: (() => void) | undefined;
}

/** A failure in words, with what to quote when asking for help. */
export function Failure({ error, onRetry }: FailureProps) {
  if (error === undefined || error === null) return null;
  const known = error instanceof ApiFailure ? error : undefined;
  const sentence = known && SENTENCES[known.code];
  return (
    <div class="alert alert-danger py-2 d-flex gap-2 align-items-start" role="alert">
      <div class="me-auto">
        <div class="sentence">{sentence ?? toErrorMessage(error)}</div>
        {known && (
          <div class="small">
            {!sentence && known.code}
            {!sentence && known.requestId && ' · '}
            {known.requestId && `request ${known.requestId}`}
          </div>
        )}
      </div>
      {onRetry && (
        <button type="button" class="btn btn-sm btn-outline-secondary" onClick={onRetry}>
          Retry
        </button>
      )}
    </div>
  );
}

export const Waiting = ({ what = 'Loading' }: { what?: string }) => (
  <p class="text-body-secondary waiting" role="status">
    {what} …
  </p>
);

/** Stands where something will be, as high as that, while it is loaded. */
export const Skeleton = ({ what, height }: { what: string; height: string }) => (
  <div class="skeleton" style={{ height }} role="status" aria-label={`Loading ${what}`} />
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

interface ShowProps<T> {
  readonly loaded: Loaded<T>;
  /** Shown until the first value is there. */
  readonly waiting?: ComponentChildren;
  readonly children: (value: T) => ComponentChildren;
  /** Stands in the place of a failure that can be told better; undefined where it cannot. */
  readonly explain?: ((error: unknown) => ComponentChildren) | undefined;
}

/** Shows a loaded value, or that it is on its way, or why it is not there; an old value stays beside a failure. */
export function Show<T>({ loaded, waiting = <Waiting />, children, explain }: ShowProps<T>) {
  const { value, error, loading, reload } = loaded;
  return (
    <>
      {(error !== undefined && explain?.(error)) || <Failure error={error} onRetry={reload} />}
      {value !== undefined ? children(value) : loading && waiting}
    </>
  );
}
