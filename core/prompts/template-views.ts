import type { AccessStore } from '../access/access-store.ts';
import { type CollaboratorRole, permissionsFor } from '../access/role.ts';
import { toUserSummary, type UserSummary } from '../access/users/user.ts';
import { toPromptText } from './prompt-text.ts';
import type { StoredTemplate, StoredTemplateVersion, Template, TemplateVersion } from './template.ts';
import type { TemplateLabelHolder } from './template-label.ts';
import type { TemplateStore } from './template-store.ts';

export interface TemplateViewDeps {
  readonly templateStore: TemplateStore;
  readonly accessStore: AccessStore;
}

type Labels = ReadonlyMap<string, readonly TemplateLabelHolder[]>;
type Users = ReadonlyMap<string, UserSummary>;
const SHOWN_VERSIONS = { offset: 0, limit: 100 };
const NEWEST_FIRST = { name: 'version', ascending: false } as const;

/** Shows templates as the API does. */
export class TemplateViews {
  readonly #deps: TemplateViewDeps;

  constructor(deps: TemplateViewDeps) {
    this.#deps = deps;
  }

  async one(template: StoredTemplate): Promise<Template> {
    const versions = await this.#deps.templateStore.listVersions(template.id, NEWEST_FIRST, SHOWN_VERSIONS);
    const users = await this.#users([...makersOf(template), ...versions.map(({ created_by }) => created_by)]);
    const labels = await this.#labels([template.id]);
    const all_versions = versions.map((version) => versionView(version, users, labels));
    return { ...toView(template, users, labels, []), all_versions };
  }

  async many(
    templates: readonly StoredTemplate[],
    roleOn: (id: string) => CollaboratorRole,
    actions: readonly string[],
  ): Promise<Template[]> {
    const users = await this.#users(templates.flatMap(makersOf));
    const labels = await this.#labels(templates.map(({ id }) => id));
    return templates.map((template) => toView(template, users, labels, permissionsFor('template', roleOn(template.id), actions)));
  }

  async versions(versions: readonly StoredTemplateVersion[]): Promise<TemplateVersion[]> {
    const users = await this.#users(versions.map(({ created_by }) => created_by));
    const labels = await this.#labels(versions.map(({ template_id }) => template_id));
    return versions.map((version) => versionView(version, users, labels));
  }

  async version(version: StoredTemplateVersion): Promise<TemplateVersion> {
    const [shown] = await this.versions([version]);
    return shown!;
  }

  /** Labels by the version that has them. */
  async #labels(template_ids: readonly string[]): Promise<Labels> {
    const held = await this.#deps.templateStore.listLabels([...new Set(template_ids)]);
    return Map.groupBy(held, versionKey);
  }

  async #users(ids: readonly string[]): Promise<Users> {
    const users = await this.#deps.accessStore.listUsers([...new Set(ids)]);
    return new Map(users.map((user) => [user.id, toUserSummary(user)]));
  }
}

const versionKey = ({ template_id, version }: { readonly template_id: string; readonly version: number }): string =>
  `${template_id} ${version}`;

const makersOf = ({ created_by, selected }: StoredTemplate): string[] => [created_by, selected.created_by];

function toView(template: StoredTemplate, users: Users, labels: Labels, permissions: Template['permissions']): Template {
  const { id, name, created_by, created_at, updated_at, selected, versions } = template;
  return {
    id,
    permissions,
    name,
    template: toPromptText(selected.template),
    selected_version: versionView(selected, users, labels),
    selected_version_id: selected.id,
    all_versions: [],
    all_available_versions: [...versions],
    total_versions: versions.length,
    max_version: versions.at(-1)!,
    created_at,
    updated_at,
    created_by_user: users.get(created_by) ?? null,
  };
}

function versionView(version: StoredTemplateVersion, users: Users, labels: Labels): TemplateVersion {
  const { created_by, template, ...shown } = version;
  return {
    ...shown,
    template: typeof template === 'string' ? template : [...template],
    settings: { ...shown.settings },
    labels: (labels.get(versionKey(version)) ?? []).map(({ label }) => label),
    updated_at: version.created_at,
    created_by_user: users.get(created_by) ?? null,
    lines_added: 0,
    lines_edited: 0,
    lines_removed: 0,
  };
}
