import { parse } from 'node:path';
import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { findFirst, isJsonObject, toJsonText } from '../../../core/plugin-sdk/otel/index.ts';
import { toMustache } from '../mustache.ts';
import { toPromptSettings } from '../prompt-settings.ts';
import type { Imported, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';

/** A version of a prompt. Rows of the API do not name the prompt: then it is `prompt`, put beside them, or the name of the file. */
export function toPromptVersion(row: SourceRow, { file, leaveOut }: RowContext): readonly Imported[] | undefined {
  const [template, id] = [row.structured('template'), row.text('id')];
  const name = row.text('prompt', 'prompt_name', 'name') ?? parse(file).name;
  if (template === undefined || id === undefined) return undefined;
  const isFString = row.text('template_format')?.toUpperCase() === 'F_STRING';
  const content = toContent(template, isFString ? toMustache : (text) => text);
  if (content === undefined) return undefined;
  const parameters = row.object('invocation_parameters') ?? {};
  const own = Object.values<JsonValue>(parameters).find(isJsonObject) ?? {};
  const model = row.text('model_name');
  const tools = row.object('tools')?.tools;
  const settings = toPromptSettings(
    { ...own, ...(model !== undefined && { model }), ...(tools !== undefined && { tools }) },
    leaveOut,
  );
  if (row.value('response_format') !== undefined) leaveOut('response format of a prompt');
  const message = row.text('description');
  row.skip('model_provider', 'template_type', 'metadata', 'created_at', 'updated_at');
  for (const field of row.unread()) leaveOut(`${field} of a prompt`);
  return [{ kind: 'prompt', name, commit: { id, at: toOrder(id) }, content, labels: [], settings, message }];
}

/** A tag of a version, with `version_id` put beside it. */
export const toLabel = (row: SourceRow): readonly Imported[] => [
  { kind: 'label', commit: row.text('version_id')!, label: row.text('name')! },
];

/** Ids stand for a kind and a number, which grows. */
function toOrder(id: string): string {
  const [, number] = /:(\d{1,15})$/.exec(Buffer.from(id, 'base64').toString()) ?? [];
  return (number ?? id).padStart(20, '0');
}

function toContent(template: JsonValue, toText: (text: string) => string): string | JsonObject[] | undefined {
  if (typeof template === 'string') return toText(template);
  const text = findFirst(template, 'template');
  if (typeof text === 'string') return toText(text);
  const messages = findFirst(template, 'messages');
  if (!Array.isArray(messages)) return undefined;
  return (messages as readonly JsonValue[]).filter(isJsonObject).map((message) => ({
    ...message,
    role: toJsonText(findFirst(message, 'role') ?? 'user').toLowerCase(),
    content: toParts(findFirst(message, 'content') ?? '', toText),
  }));
}

function toParts(content: JsonValue, toText: (text: string) => string): JsonValue {
  if (typeof content === 'string') return toText(content);
  if (!Array.isArray(content)) return toJsonText(content);
  const parts = (content as readonly JsonValue[]).filter(isJsonObject).map((part) => {
    const text = part.type === 'text' ? findFirst(part, 'text') : undefined;
    return typeof text === 'string' ? { ...part, text: toText(text) } : part;
  });
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? (only.text ?? '') : parts;
}
