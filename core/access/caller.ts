import type { ApiKeyPurpose, CollaboratorRole, UserRole } from './role.ts';

/** Whom credentials stand for. */
export interface Principal {
  readonly user_id: string;
  readonly email: string;
  readonly role: UserRole;
  readonly scheme: 'api_key' | 'bearer' | 'basic';
  /** The key that was presented, itself or exchanged for a token; null for people. */
  readonly api_key_id: string | null;
  /** A key made for one project reaches no other. */
  readonly project_id: string | null;
  /** A key may be allowed less than its owner: no more than this role on any object. */
  readonly max_role: CollaboratorRole | null;
  /** A key may be made for one purpose: it is refused everywhere else. */
  readonly purpose: ApiKeyPurpose | null;
}

/** Where a request came from, for the audit log. */
export interface Origin {
  readonly request_id: string;
  /** Network address as the edge sees it. */
  readonly address: string;
}

/** Who asks: the principal behind the credentials of one request. */
export interface Caller extends Principal {
  readonly origin: Origin;
}
