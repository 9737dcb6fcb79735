/** Roles on an object, the least first; the matrix states them again, so that it does not believe the product. */
export const ROLES = ['viewer', 'annotator', 'editor', 'owner'] as const;
export type Role = (typeof ROLES)[number];
export type OrganizationRole = 'admin' | 'manager' | 'user' | 'read_only';

/** Everything that an operation may name by id. A fixture object has one of each. */
export const ID_NAMES = [
  'project_id',
  'log_stream_id',
  'experiment_id',
  'tag_id',
  'trace_id',
  'span_id',
  'parent_id',
  'session_id',
  'record_id',
  'previous_last_row_id',
  'scorer_id',
  'scorer_version_id',
  'job_id',
  'annotation_template_id',
  'queue_id',
  'view_id',
  'comment_id',
  'rule_id',
  'dataset_id',
  'source_dataset_id',
  'row_id',
  'import_id',
  'template_id',
  'integration_id',
  'section_id',
  'widget_id',
  'alert_id',
  'route_id',
  'insight_id',
  'file_id',
  'group_id',
  'user_id',
  'api_key_id',
  'caller_id',
] as const;
export type IdName = (typeof ID_NAMES)[number];
/**
 * The ids, with the names of the object and of its log stream: names are taken once, too. Versions are the first two of
 * whatever has some.
 */
export type Ids = Readonly<Record<IdName | 'name' | 'stream_name' | 'version_index' | 'other_version_index', string>>;

/** Facts about a caller that the rules use. */
export interface CallerFacts {
  readonly name: string;
  /** Whether the credentials are good for anybody. */
  readonly is_known: boolean;
  readonly role: OrganizationRole;
  /** Limits of the key that the caller comes with, or got a token for. `this`: made for the project in question. */
  readonly key_project: 'this' | 'another' | null;
  readonly key_role: Role | null;
}

export interface Facts {
  readonly caller: CallerFacts;
  readonly relation: string;
  /** The role that counts, on the object of a project row; null when the caller does not see it. */
  readonly role: Role | null;
}

interface Common {
  /** The route's operationId. */
  readonly operation: string;
  /** Tells the rows of one operation apart. */
  readonly variant?: string;
  /** The id, or the name, that stands in a parameter of the path, where it is not the one of that name. */
  readonly path?: Readonly<Record<string, IdName | 'name' | 'version_index'>>;
  readonly query?: (ids: Ids) => Readonly<Record<string, string>>;
  readonly body?: (ids: Ids) => unknown;
  readonly form?: (ids: Ids) => FormData;
  /** The status when nothing speaks against it; 200 unless said. */
  readonly ok?: number;
  /** The error code that comes with it, where that is no success. */
  readonly code?: string;
  /** The id by which the operation knows the object, where it takes no id of the object itself. */
  readonly known_by?: IdName;
  /** Ids beside the object's own, and what naming one of another object answers. Every id the operation takes has to be here. */
  readonly mixed?: Partial<Record<IdName, number | ((caller: CallerFacts) => number)>>;
  /** Ids of things that everyone sees: naming them need not look like naming an unknown one. */
  readonly known?: readonly IdName[];
  /** Ids that may be any text, so that none is malformed. */
  readonly words?: readonly IdName[];
  /** Ids within records, which are looked at once the caller was found to be allowed: a batch may hold thousands. */
  readonly late?: readonly IdName[];
  /** The operation changes nothing: asked twice, it returns the same. */
  readonly reads?: true;
  /** Where the rule of its family does not hold: the status in place of the usual one. */
  readonly deviates?: (usual: number, facts: Facts) => number;
  /** For lists: whether the reply shows the object of the fixture object. It has to when the caller sees it, and only then. */
  // biome-ignore lint/suspicious/noExplicitAny: replies of every shape
  readonly shows?: (reply: any, ids: Ids) => boolean;
}

/** `open`: no credentials are looked at. `everyone`: all whose credentials are good. */
export type PlainRow = Common & { readonly on: 'open' | 'everyone' };
/** A matter of the organisation, not of an object: for these roles, with no limited key unless `limited_keys` says so. */
export type OrganizationRow = Common & {
  readonly on: 'organization';
  readonly allowed: readonly OrganizationRole[];
  readonly limited_keys?: true;
};
export type ProjectRow = Common & { readonly on: 'project'; readonly needs: Role };
export type DatasetRow = Common & { readonly on: 'dataset'; readonly needs: Role };
export type IntegrationRow = Common & { readonly on: 'integration'; readonly needs: Role };
export type TemplateRow = Common & { readonly on: 'template'; readonly needs: Role };
export type ScorerRow = Common & { readonly on: 'scorer'; readonly needs: 'nothing' | 'maker' };
export type GroupRow = Common & {
  readonly on: 'group';
  readonly needs: 'sight' | 'membership' | 'maintainer' | 'joining' | 'leaving';
};
export type UserRow = Common & { readonly on: 'user'; readonly needs: 'sight' | 'change' | 'deletion' | 'keys' };
export type ApiKeyRow = Common & { readonly on: 'api_key' };
export type Row =
  | PlainRow
  | OrganizationRow
  | ProjectRow
  | DatasetRow
  | IntegrationRow
  | TemplateRow
  | ScorerRow
  | GroupRow
  | UserRow
  | ApiKeyRow;

export const toRowName = ({ operation, variant }: Row): string =>
  variant === undefined ? operation : `${operation} (${variant})`;
