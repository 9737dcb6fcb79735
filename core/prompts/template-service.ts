import type { AccessStore } from '../access/access-store.ts';
import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { CollaboratorStore } from '../access/groups/collaborator-store.ts';
import { permissionsFor } from '../access/role.ts';
import { deleteEach } from '../kernel/delete-each.ts';
import { freeName, takeFreeName, wantedName } from '../kernel/free-name.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../kernel/query/page.ts';
import { versionAfter } from './new-version.ts';
import {
  type DeletedTemplates,
  type NewTemplate,
  type Template,
  type TemplateAction,
  type TemplateUpdate,
  templateEvent,
  templateNotFound,
} from './template.ts';
import type { TemplateFilter, TemplateSearch } from './template-query.ts';
import type { TemplateStore } from './template-store.ts';
import { TemplateViews } from './template-views.ts';

export interface TemplateDeps {
  readonly templateStore: TemplateStore;
  readonly accessStore: AccessStore;
  readonly collaboratorStore: CollaboratorStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Prompt templates as wholes. */
export class TemplateService {
  readonly #deps: TemplateDeps;
  readonly #views: TemplateViews;

  constructor(deps: TemplateDeps) {
    this.#deps = deps;
    this.#views = new TemplateViews(deps);
  }

  /** With a project, the template is used in it from the start. Its first version is selected. */
  async create(caller: Caller, wanted: NewTemplate, project_id?: string): Promise<Template> {
    const { templateStore, collaboratorStore, authorizer, auditTrail, transactions, newId } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'create_object');
    if (project_id !== undefined) await authorizer.authorize(caller, 'project', project_id, 'update');
    const at = this.#now();
    const facts = { id: newId(), hidden: wanted.hidden, created_by: caller.user_id, created_at: at, updated_at: at };
    const of = { template_id: facts.id, id: newId(), created_by: caller.user_id, created_at: at };
    const first = versionAfter(undefined, wanted, of);
    const { value, append_suffix_if_duplicate } = wantedName(wanted.name);
    await transactions.run(async () => {
      const insert = (name: string) => templateStore.insert({ ...facts, name }, first);
      const name = await takeFreeName(templateStore, value, append_suffix_if_duplicate, insert);
      if (project_id !== undefined) await templateStore.use(facts.id, project_id);
      const owner = { id: newId(), user_id: caller.user_id, role: 'owner', created_at: at } as const;
      await collaboratorStore.putUsers({ kind: 'template', id: facts.id }, [owner]);
      await auditTrail.note(caller, templateEvent('create', facts.id, { name, owner: caller.user_id }));
    });
    return this.#views.one((await templateStore.find(facts.id))!);
  }

  async search(
    caller: Caller,
    { filters, sort }: TemplateSearch,
    wanted: PageRequest,
  ): Promise<PageFields & { templates: Template[] }> {
    const visible = await this.#deps.authorizer.visible(caller, 'template');
    const known = await this.#knownProjects(caller, filters);
    const found = known && (await this.#deps.templateStore.list([...known, ...visible.filters], sort, sliceFor(wanted)));
    const { items, page } = toPage(found ?? [], wanted);
    return { ...page, templates: await this.#views.many(items, visible.roleOn, []) };
  }

  /** With permissions for the actions that are named, as lists of other objects have them. */
  async get(caller: Caller, id: string, actions: readonly TemplateAction[] = []): Promise<Template> {
    const role = await this.#deps.authorizer.authorize(caller, 'template', id, 'read');
    const template = await this.#deps.templateStore.find(id);
    if (!template) throw templateNotFound(id);
    return { ...(await this.#views.one(template)), permissions: permissionsFor('template', role, actions) };
  }

  async update(caller: Caller, id: string, { name }: TemplateUpdate): Promise<Template> {
    const { templateStore, authorizer, auditTrail, transactions } = this.#deps;
    await authorizer.authorize(caller, 'template', id, 'update');
    const template = await transactions.run(async () => {
      const before = await templateStore.hold(id);
      if (!before) throw templateNotFound(id);
      const wanted = name ? wantedName(name) : { value: before.name, append_suffix_if_duplicate: false };
      if (wanted.value === before.name) return before;
      const free = await freeName(templateStore, wanted.value, wanted.append_suffix_if_duplicate);
      await auditTrail.note(caller, templateEvent('rename', id, { name: free }));
      return (await templateStore.update(id, { name: free, updated_at: this.#now() }))!;
    });
    return this.#views.one(template);
  }

  async delete(caller: Caller, id: string): Promise<{ message: string }> {
    const { templateStore, collaboratorStore, authorizer, auditTrail, transactions } = this.#deps;
    await authorizer.authorize(caller, 'template', id, 'delete');
    await transactions.run(async () => {
      if (!(await templateStore.remove(id))) throw templateNotFound(id);
      await collaboratorStore.removeObject({ kind: 'template', id });
      await auditTrail.note(caller, templateEvent('delete', id));
    });
    authorizer.forget();
    return { message: `template ${id} and its versions were deleted` };
  }

  async deleteMany(caller: Caller, template_ids: readonly string[]): Promise<DeletedTemplates> {
    return deleteEach({
      ids: template_ids,
      called: 'templates',
      remove: (id) => this.delete(caller, id),
      failed: (template_id, { message }) => ({ template_id, reason: message }),
    });
  }

  /** Filters on projects that the caller does not see find nothing out: in those, nothing is used. Undefined when nothing can pass. */
  async #knownProjects(caller: Caller, filters: readonly TemplateFilter[]): Promise<readonly TemplateFilter[] | undefined> {
    const known: TemplateFilter[] = [];
    for (const filter of filters) {
      const isSeen =
        filter.family !== 'custom_uuid' || (await this.#deps.authorizer.roleOn(caller, 'project', filter.value)) !== undefined;
      if (isSeen) known.push(filter);
      else if (filter.name === 'used_in_project') return undefined;
    }
    return known;
  }

  #now(): string {
    return this.#deps.clock().toISOString();
  }
}
