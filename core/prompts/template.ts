import { z } from 'zod';
import type { AuditEvent } from '../access/audit/audit.ts';
import { UserSummary } from '../access/users/user.ts';
import { AppError } from '../kernel/errors.ts';
import { WantedName } from '../kernel/free-name.ts';
import type { JsonObject } from '../kernel/json.ts';
import { withDefault } from '../kernel/optional.ts';
import { Permission } from '../kernel/permission.ts';
import { cleanText, Id } from '../kernel/text.ts';
import { PromptContent } from './prompt-text.ts';
import { RunSettings, StoredSettings } from './run-settings.ts';

/** A version as stored; it never changes. */
export interface StoredTemplateVersion {
  readonly template_id: string;
  readonly version: number;
  readonly id: string;
  readonly template: PromptContent;
  /** The text is meant as it stands: nothing in it is a variable. */
  readonly raw: boolean;
  readonly settings: JsonObject;
  readonly output_type: string | null;
  /** Why it was made, in its author's words. */
  readonly commit_message: string | null;
  /** Against the version before it; the first one changes nothing. */
  readonly model_changed: boolean;
  readonly settings_changed: boolean;
  readonly content_changed: boolean;
  readonly created_by: string;
  readonly created_at: string;
}

/** A template as stored, with the version that is selected and the numbers of all, ascending. */
export interface StoredTemplate {
  readonly id: string;
  readonly name: string;
  /** Found by its id alone: lists pass it by. */
  readonly hidden: boolean;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly selected: StoredTemplateVersion;
  readonly versions: readonly number[];
}

export const TemplateVersion = z
  .object({
    id: z.string(),
    template: z.union([z.string(), z.array(z.looseObject({}))]),
    raw: z.boolean(),
    version: z.int(),
    settings: StoredSettings,
    output_type: z.string().nullable(),
    commit_message: z.string().nullable(),
    /** Labels that are on this version now; the newest has `latest`, too, which is not said here. */
    labels: z.array(z.string()),
    template_id: z.string(),
    model_changed: z.boolean(),
    settings_changed: z.boolean(),
    content_changed: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
    created_by_user: UserSummary.nullable(),
    /** Deprecated: always 0. */
    lines_added: z.int(),
    lines_edited: z.int(),
    lines_removed: z.int(),
  })
  .meta({ id: 'TemplateVersion' });
export type TemplateVersion = z.output<typeof TemplateVersion>;

export const TemplateAction = z.enum(['update', 'delete', 'share']);
export type TemplateAction = z.output<typeof TemplateAction>;

export const Template = z
  .object({
    id: z.string(),
    permissions: z.array(Permission),
    name: z.string(),
    /** Text of the selected version; messages as JSON text. */
    template: z.string(),
    selected_version: TemplateVersion,
    selected_version_id: z.string(),
    /** The newest 100, newest first; empty in lists. */
    all_versions: z.array(TemplateVersion),
    all_available_versions: z.array(z.int()),
    total_versions: z.int(),
    max_version: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
    created_by_user: UserSummary.nullable(),
  })
  .meta({ id: 'Template' });
export type Template = z.output<typeof Template>;

/** `version` is the number that the version is to have; by default the next one. */
export const NewTemplateVersion = z
  .object({
    template: PromptContent,
    raw: withDefault(z.boolean(), false),
    version: z.int().min(0).max(2_147_483_647).nullish(),
    settings: RunSettings.nullish(),
    output_type: cleanText(1, 255).nullish(),
    commit_message: cleanText(1, 1000).nullish(),
  })
  .meta({ id: 'NewTemplateVersion' });
export type NewTemplateVersion = z.output<typeof NewTemplateVersion>;

export const NewTemplate = NewTemplateVersion.extend({
  name: WantedName,
  hidden: withDefault(z.boolean(), false),
}).meta({ id: 'NewTemplate' });
export type NewTemplate = z.output<typeof NewTemplate>;

/** Absent and null leave the name as it is. */
export const TemplateUpdate = z.object({ name: WantedName.nullish() }).meta({ id: 'TemplateUpdate' });
export type TemplateUpdate = z.output<typeof TemplateUpdate>;

export const TemplatesToDelete = z.object({ template_ids: z.array(Id).min(1).max(100) }).meta({ id: 'TemplatesToDelete' });
export const DeletedTemplates = z
  .object({
    deleted_count: z.int(),
    failed_deletions: z.array(z.object({ template_id: z.string(), reason: z.string() })),
    message: z.string(),
  })
  .meta({ id: 'DeletedTemplates' });
export type DeletedTemplates = z.output<typeof DeletedTemplates>;

export const templateNotFound = (id: string): AppError =>
  new AppError('not_found', 'template_not_found', `template ${id} does not exist`);

export const templateVersionNotFound = (version: number | string): AppError =>
  new AppError('not_found', 'template_version_not_found', `version ${version} of the template does not exist`);

export const templateExists = (): AppError => new AppError('conflict', 'template_exists', 'a template with this name exists');

export const templateEvent = (verb: string, id: string, details: AuditEvent['details'] = {}): AuditEvent => ({
  action: `template.${verb}`,
  object_kind: 'template',
  object_id: id,
  details,
});
