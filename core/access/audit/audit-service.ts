import { type PageFields, type PageRequest, sliceFor, toPage } from '../../kernel/query/page.ts';
import type { Authorizer } from '../authorizer.ts';
import type { Caller } from '../caller.ts';
import { OBJECT_KINDS, type ObjectKind } from '../role.ts';
import type { AuditEntry } from './audit.ts';
import type { AuditQuery, AuditStore } from './audit-store.ts';
import type { AuditTrail, ChainReport } from './audit-trail.ts';

type AuditSearch = AuditQuery & { readonly object_id?: string | undefined; readonly object_kind?: string | undefined };

/** Reading the audit log: administrators all of it, owners what concerns their object. */
export class AuditService {
  readonly #auditStore: AuditStore;
  readonly #authorizer: Authorizer;

  readonly #auditTrail: AuditTrail;

  constructor(deps: { auditStore: AuditStore; authorizer: Authorizer; auditTrail: AuditTrail }) {
    this.#auditStore = deps.auditStore;
    this.#authorizer = deps.authorizer;
    this.#auditTrail = deps.auditTrail;
  }

  /** Reads all of it and makes every hash again. */
  async check(caller: Caller): Promise<ChainReport> {
    this.#authorizer.authorizeInOrganization(caller, 'read_audit_log');
    return this.#auditTrail.verify();
  }

  /** Newest first. Rejects as the object itself would when the query names one that is not the caller's. */
  async list(caller: Caller, query: AuditSearch, wanted: PageRequest): Promise<PageFields & { entries: AuditEntry[] }> {
    const { object_kind, object_id } = query;
    if (isShared(object_kind) && object_id !== undefined)
      await this.#authorizer.authorize<ObjectKind>(caller, object_kind, object_id, 'share');
    else this.#authorizer.authorizeInOrganization(caller, 'read_audit_log');
    const { items, page } = toPage(await this.#auditStore.list(query, sliceFor(wanted)), wanted);
    return { ...page, entries: items };
  }
}

const isShared = (kind: string | undefined): kind is ObjectKind =>
  (OBJECT_KINDS as readonly (string | undefined)[]).includes(kind);
