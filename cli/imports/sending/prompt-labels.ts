import { LATEST, TemplateLabelName } from '../../../core/prompts/template-label.ts';

/** A label as templates have it, in lower case; undefined for one that they cannot have, or that moves by itself. */
export function toLabel(label: string): string | undefined {
  const lower = label.toLowerCase();
  return lower !== LATEST && TemplateLabelName.safeParse(lower).success ? lower : undefined;
}
