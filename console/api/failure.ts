/** The one form in which the API refuses: a sentence, a code that stands in the list of errors, and what to quote. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  /** Which field is wrong and why, for refusals of a form. */
  readonly issues: readonly FieldIssue[];

  constructor(status: number, body: RefusalBody) {
    super(toText(body, status));
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.requestId = body.request_id;
    this.issues = Array.isArray(body.detail) ? body.detail : [];
  }
}

export interface FieldIssue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

export interface RefusalBody {
  readonly detail?: string | readonly FieldIssue[];
  readonly code?: string;
  readonly request_id?: string;
}

function toText({ detail }: RefusalBody, status: number): string {
  if (typeof detail === 'string') return detail;
  if (!detail || detail.length === 0) return `the service answered ${status}`;
  return detail.map(({ loc, msg }) => `${loc.slice(1).join('.') || loc.join('.')}: ${msg}`).join('; ');
}

/** Turns anything that was thrown into a message for people. */
export const toErrorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
