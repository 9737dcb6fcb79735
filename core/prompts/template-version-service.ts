import type { AccessStore } from '../access/access-store.ts';
import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../kernel/query/page.ts';
import { versionAfter } from './new-version.ts';
import {
  type NewTemplateVersion,
  type Template,
  type TemplateVersion,
  templateEvent,
  templateNotFound,
  templateVersionNotFound,
} from './template.ts';
import type { TemplateVersionSearch } from './template-query.ts';
import type { TemplateStore } from './template-store.ts';
import { TemplateViews } from './template-views.ts';
import { diffVersions, type TemplateDiff } from './version-diff.ts';

export interface TemplateVersionDeps {
  readonly templateStore: TemplateStore;
  readonly accessStore: AccessStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** The versions of prompt templates, and which of them is selected. */
export class TemplateVersionService {
  readonly #deps: TemplateVersionDeps;
  readonly #views: TemplateViews;

  constructor(deps: TemplateVersionDeps) {
    this.#deps = deps;
    this.#views = new TemplateViews(deps);
  }

  /** A new version is selected at once. */
  async add(caller: Caller, template_id: string, wanted: NewTemplateVersion): Promise<TemplateVersion> {
    const { templateStore, authorizer, auditTrail, transactions, newId } = this.#deps;
    await authorizer.authorize(caller, 'template', template_id, 'update');
    const version = await transactions.run(async () => {
      const template = await templateStore.hold(template_id);
      if (!template) throw templateNotFound(template_id);
      const newest = await templateStore.findVersion(template_id, template.versions.at(-1)!);
      const created_at = this.#now();
      const added = versionAfter(newest, wanted, { template_id, id: newId(), created_by: caller.user_id, created_at });
      await templateStore.insertVersion(added);
      await templateStore.update(template_id, { selected_version: added.version, updated_at: created_at });
      await auditTrail.note(caller, templateEvent('add_version', template_id, { version: added.version }));
      return added;
    });
    return this.#views.version(version);
  }

  async list(
    caller: Caller,
    template_id: string,
    { sort }: TemplateVersionSearch,
    wanted: PageRequest,
  ): Promise<PageFields & { versions: TemplateVersion[] }> {
    await this.#deps.authorizer.authorize(caller, 'template', template_id, 'read');
    const versions = await this.#deps.templateStore.listVersions(template_id, sort, sliceFor(wanted));
    const { items, page } = toPage(versions, wanted);
    return { ...page, versions: await this.#views.versions(items) };
  }

  async get(caller: Caller, template_id: string, version: number): Promise<TemplateVersion> {
    await this.#deps.authorizer.authorize(caller, 'template', template_id, 'read');
    const found = await this.#deps.templateStore.findVersion(template_id, version);
    if (!found) throw templateVersionNotFound(version);
    return this.#views.version(found);
  }

  /** The difference between version `from` and version `to`. */
  async diff(caller: Caller, template_id: string, from: number, to: number): Promise<TemplateDiff> {
    const { authorizer, templateStore } = this.#deps;
    await authorizer.authorize(caller, 'template', template_id, 'read');
    const [before, after] = [
      await templateStore.findVersion(template_id, from),
      await templateStore.findVersion(template_id, to),
    ];
    if (!before) throw templateVersionNotFound(from);
    if (!after) throw templateVersionNotFound(to);
    return diffVersions(before, after);
  }

  async select(caller: Caller, template_id: string, version: number): Promise<Template> {
    const { templateStore, authorizer, auditTrail, transactions } = this.#deps;
    await authorizer.authorize(caller, 'template', template_id, 'update');
    const template = await transactions.run(async () => {
      const before = await templateStore.hold(template_id);
      if (!before) throw templateNotFound(template_id);
      if (!before.versions.includes(version)) throw templateVersionNotFound(version);
      if (before.selected.version === version) return before;
      await auditTrail.note(caller, templateEvent('select_version', template_id, { version }));
      return (await templateStore.update(template_id, { selected_version: version, updated_at: this.#now() }))!;
    });
    return this.#views.one(template);
  }

  #now(): string {
    return this.#deps.clock().toISOString();
  }
}
