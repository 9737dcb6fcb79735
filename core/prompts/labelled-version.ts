import type { StoredTemplate, StoredTemplateVersion } from './template.ts';
import { LATEST, templateLabelNotFound } from './template-label.ts';
import type { TemplateStore } from './template-store.ts';

/** The version of the template that has the label; rejects with AppError `not_found` when none has. */
export async function labelledVersion(
  store: Pick<TemplateStore, 'findLabel' | 'findVersion'>,
  template: StoredTemplate,
  label: string,
): Promise<StoredTemplateVersion> {
  const version = label === LATEST ? template.versions.at(-1) : await store.findLabel(template.id, label);
  const found = version === undefined ? undefined : await store.findVersion(template.id, version);
  if (!found) throw templateLabelNotFound(label);
  return found;
}
