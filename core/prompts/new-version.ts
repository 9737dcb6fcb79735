import { canonicalJson } from '../kernel/canonical-json.ts';
import { AppError } from '../kernel/errors.ts';
import { getModel, givenSettings, haveChanged } from './run-settings.ts';
import type { NewTemplateVersion, StoredTemplateVersion } from './template.ts';

interface Facts {
  readonly template_id: string;
  readonly id: string;
  readonly created_by: string;
  readonly created_at: string;
}

/** The version that follows on `before`, the newest there is. Throws AppError `conflict` when its number is not free. */
export function versionAfter(
  before: StoredTemplateVersion | undefined,
  wanted: NewTemplateVersion,
  facts: Facts,
): StoredTemplateVersion {
  const next = (before?.version ?? 0) + 1;
  if (before && wanted.version !== null && wanted.version !== undefined && wanted.version < next)
    throw taken(wanted.version, next);
  const settings = givenSettings(wanted.settings);
  const { template, raw, output_type, commit_message } = wanted;
  return {
    ...facts,
    version: wanted.version ?? next,
    template,
    raw,
    settings,
    output_type: output_type ?? null,
    commit_message: commit_message ?? null,
    model_changed: before !== undefined && getModel(before.settings) !== getModel(settings),
    settings_changed: before !== undefined && haveChanged(before.settings, settings),
    content_changed: before !== undefined && toContent(before) !== toContent({ template, raw }),
  };
}

const toContent = ({ template, raw }: Pick<StoredTemplateVersion, 'template' | 'raw'>): string => canonicalJson([template, raw]);

const taken = (version: number, next: number): AppError =>
  new AppError('conflict', 'template_version_exists', `version ${version} cannot be made: the next one is ${next}`);
