import { AppError, type ErrorKind } from '../../core/kernel/errors.ts';

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** Kinds that have a type of their own in RFC 7644, table 9. */
const TYPES: Readonly<Record<string, string>> = {
  scim_filter_invalid: 'invalidFilter',
  filter_too_wide: 'invalidFilter',
  scim_path_invalid: 'invalidPath',
  scim_value_invalid: 'invalidValue',
  scim_operations_invalid: 'invalidSyntax',
  last_admin: 'mutability',
};

const TYPES_BY_KIND: Partial<Record<ErrorKind, string>> = { conflict: 'uniqueness', invalid: 'invalidValue' };

const MAX_ISSUES_TOLD = 5;

/** The body of a refusal, RFC 7644 section 3.12. `status` is that of the reply. */
export interface ScimErrorBody {
  readonly schemas: readonly [string];
  readonly status: string;
  readonly scimType?: string;
  readonly detail: string;
}

export function toScimError(status: number, error: AppError | undefined): ScimErrorBody {
  const scimType = error && (TYPES[error.code] ?? TYPES_BY_KIND[error.kind]);
  return {
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: error ? describe(error) : 'internal error',
  };
}

function describe({ message, issues }: AppError): string {
  const told = issues.slice(0, MAX_ISSUES_TOLD).map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`);
  return told.length === 0 ? message : `${message} (${told.join('; ')})`;
}

export const valueInvalid = (message: string): AppError => new AppError('bad_request', 'scim_value_invalid', message);
