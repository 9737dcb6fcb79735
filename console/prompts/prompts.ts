import type { PageFields } from '../../core/kernel/query/page.ts';
import type { Template, TemplateVersion } from '../../core/prompts/template.ts';

export type TemplatePage = PageFields & { readonly templates: readonly Template[] };

/** A prompt as text: messages as JSON, the way in which they are typed, too. */
export const promptText = (template: TemplateVersion['template']): string =>
  typeof template === 'string' ? template : JSON.stringify(template, null, 2);

/** A typed prompt: JSON of messages as such, anything else as a text. */
export function parsePrompt(text: string): string | readonly object[] {
  if (!text.trim().startsWith('[')) return text;
  try {
    const messages: unknown = JSON.parse(text);
    const isMessages =
      Array.isArray(messages) && messages.every((one) => typeof one === 'object' && one !== null && 'role' in one);
    return isMessages ? (messages as object[]) : text;
  } catch {
    return text;
  }
}

/** Labels that teams know; `latest` moves by itself. */
export const USUAL_LABELS = ['production', 'staging'] as const;

/** The calls of a log stream that were made with a version of a prompt. */
export function callsPath(project_id: string, log_stream_id: string, prompt_version_id: string): string {
  const filter = { type: 'text', column_id: 'prompt_version_id', operator: 'eq', value: prompt_version_id, case_sensitive: true };
  const view = new URLSearchParams({ level: 'span', filters: JSON.stringify([filter]) });
  return `/projects/${project_id}/log_streams/${log_stream_id}?${view}`;
}
