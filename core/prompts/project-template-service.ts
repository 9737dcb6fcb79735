import type { AccessStore } from '../access/access-store.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { labelledVersion } from './labelled-version.ts';
import {
  type StoredTemplate,
  type StoredTemplateVersion,
  type Template,
  type TemplateVersion,
  templateNotFound,
  templateVersionNotFound,
} from './template.ts';
import { NEWEST_TEMPLATES_FIRST, type TemplateFilter } from './template-query.ts';
import type { TemplateStore } from './template-store.ts';
import { TemplateViews } from './template-views.ts';

export interface ProjectTemplateDeps {
  readonly templateStore: TemplateStore;
  readonly accessStore: AccessStore;
  readonly authorizer: Authorizer;
}

/** The templates that a project uses, as far as the caller sees them. */
export class ProjectTemplateService {
  readonly #deps: ProjectTemplateDeps;
  readonly #views: TemplateViews;

  constructor(deps: ProjectTemplateDeps) {
    this.#deps = deps;
    this.#views = new TemplateViews(deps);
  }

  /** All of them, newest first: clients scan the list for a name. */
  async list(caller: Caller, project_id: string): Promise<Template[]> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const { filters, roleOn } = await this.#deps.authorizer.visible(caller, 'template');
    const used = [usedIn(project_id), ...filters];
    return this.#views.many(await this.#deps.templateStore.list(used, NEWEST_TEMPLATES_FIRST), roleOn, []);
  }

  /** The selected version unless another is named, by its number or by a label. */
  async findVersion(
    caller: Caller,
    project_id: string,
    name: string,
    wanted: { readonly version?: number | undefined; readonly label?: string | undefined },
  ): Promise<TemplateVersion> {
    const { authorizer, templateStore } = this.#deps;
    if (!(await this.#sees(caller, project_id))) throw nameNotFound();
    const { filters } = await authorizer.visible(caller, 'template');
    const named: TemplateFilter = { family: 'string', name: 'name', operator: 'eq', values: [name], case_sensitive: true };
    const [template] = await templateStore.list([usedIn(project_id), named, ...filters], NEWEST_TEMPLATES_FIRST);
    if (!template) throw nameNotFound();
    return this.#views.version(await this.#wantedVersion(template, wanted));
  }

  /** Rejects with `not_found`, which of the two it may be, unless the caller sees the project and the template is used in it. */
  async authorizeUse(caller: Caller, project_id: string, template_id: string): Promise<void> {
    const isUsed = (await this.#sees(caller, project_id)) && (await this.#deps.templateStore.isUsedIn(template_id, project_id));
    if (!isUsed) throw templateNotFound(template_id);
  }

  async #wantedVersion(
    template: StoredTemplate,
    { version, label }: { readonly version?: number | undefined; readonly label?: string | undefined },
  ): Promise<StoredTemplateVersion> {
    if (label !== undefined) return labelledVersion(this.#deps.templateStore, template, label);
    if (version === undefined) return template.selected;
    const found = await this.#deps.templateStore.findVersion(template.id, version);
    if (!found) throw templateVersionNotFound(version);
    return found;
  }

  async #sees(caller: Caller, project_id: string): Promise<boolean> {
    return (await this.#deps.authorizer.roleOn(caller, 'project', project_id)) !== undefined;
  }
}

const usedIn = (value: string): TemplateFilter => ({ family: 'custom_uuid', name: 'used_in_project', value });

const nameNotFound = (): AppError => new AppError('not_found', 'template_not_found', 'the project uses no template of this name');
