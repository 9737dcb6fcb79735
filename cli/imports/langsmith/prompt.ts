import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { findFirst, getOwn, isJsonObject, toJsonText } from '../../../core/plugin-sdk/otel/index.ts';
import { toMustache } from '../mustache.ts';
import { toPromptSettings } from '../prompt-settings.ts';
import type { Imported, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';
import { toMessage } from './messages.ts';

const TEMPLATE_ROLES: Readonly<Record<string, string>> = {
  SystemMessagePromptTemplate: 'system',
  HumanMessagePromptTemplate: 'user',
  AIMessagePromptTemplate: 'assistant',
};
/** Settings of a model among all that its class is made with. */
const MODEL_SETTINGS = /^(model|model_name|temperature|max_tokens|top_p|top_k|frequency_penalty|presence_penalty|stop)$/;

/** A commit of a prompt: a manifest of LangChain, in which a prompt may stand before the model that it is for. */
export function toCommit(row: SourceRow, { leaveOut }: RowContext): readonly Imported[] | undefined {
  const [hash, manifest] = [row.text('commit_hash')!, row.object('manifest')];
  const name = row.text('repo', 'repo_handle', 'prompt_name', 'name');
  if (manifest === undefined || name === undefined) return undefined;
  const parts = partsOf(manifest);
  const content = parts.map(toContent).find((found) => found !== undefined);
  if (content === undefined) return undefined;
  const settings = Object.assign({}, ...parts.map((part) => toSettings(part, leaveOut))) as JsonObject;
  if (parts.some((part) => classOf(part) === 'StructuredPrompt')) leaveOut('schema of a structured prompt');
  const labels = row.texts('tags', 'commit_tags');
  const commit = { id: hash, parent: row.text('parent_commit_hash'), at: row.text('created_at') };
  const description = row.text('commit_message', 'description');
  return [
    {
      kind: 'prompt',
      name,
      commit,
      content,
      labels,
      settings,
      message: [description, `commit ${hash}`].filter(Boolean).join(' · '),
    },
  ];
}

/** A chain stands for its parts. */
function partsOf(value: JsonObject): JsonObject[] {
  const kwargs = kwargsOf(value);
  if (classOf(value) !== 'RunnableSequence') return [value, ...objectsIn([getOwn(kwargs, 'bound') ?? null])];
  const middle = getOwn(kwargs, 'middle');
  const all = [
    getOwn(kwargs, 'first') ?? null,
    ...(Array.isArray(middle) ? (middle as readonly JsonValue[]) : []),
    getOwn(kwargs, 'last') ?? null,
  ];
  return objectsIn(all).flatMap(partsOf);
}

const objectsIn = (values: readonly JsonValue[]): JsonObject[] => values.filter(isJsonObject);
const kwargsOf = (value: JsonObject): JsonObject => {
  const kwargs = getOwn(value, 'kwargs');
  return isJsonObject(kwargs) ? kwargs : {};
};
const classOf = (value: JsonObject): string => {
  const path = getOwn(value, 'id');
  return Array.isArray(path) ? String((path as readonly JsonValue[]).at(-1)) : '';
};

function toContent(part: JsonObject): string | JsonObject[] | undefined {
  const kwargs = kwargsOf(part);
  const messages = getOwn(kwargs, 'messages');
  if (Array.isArray(messages)) return objectsIn(messages as readonly JsonValue[]).map(toTemplateMessage);
  return classOf(part) === 'PromptTemplate' ? toTemplate(part) : undefined;
}

function toTemplateMessage(message: JsonObject): JsonObject {
  const kwargs = kwargsOf(message);
  const name = classOf(message);
  const role = TEMPLATE_ROLES[name];
  if (name === 'MessagesPlaceholder') return { role: 'placeholder', content: `{{${toJsonText(kwargs.variable_name ?? '')}}}` };
  if (role === undefined && name !== 'ChatMessagePromptTemplate') return toMessage(message) as JsonObject;
  const prompt = getOwn(kwargs, 'prompt');
  const own = role ?? toJsonText(kwargs.role ?? 'user');
  if (Array.isArray(prompt)) return { role: own, content: objectsIn(prompt as readonly JsonValue[]).map(toContentPart) };
  return { role: own, content: isJsonObject(prompt) ? toTemplate(prompt) : '' };
}

function toContentPart(part: JsonObject): JsonObject {
  const template = findFirst(kwargsOf(part), 'template');
  return isJsonObject(template) ? { type: 'image_url', image_url: template } : { type: 'text', text: toTemplate(part) };
}

function toTemplate(prompt: JsonObject): string {
  const kwargs = kwargsOf(prompt);
  const text = toJsonText(findFirst(kwargs, 'template') ?? '');
  const format = findFirst(kwargs, 'template_format') ?? 'f-string';
  return format === 'f-string' ? toMustache(text) : text.replaceAll(/\{\{\{([^{}]+)\}\}\}/g, '{{$1}}');
}

function toSettings(part: JsonObject, leaveOut: (what: string) => void): JsonObject {
  const known = Object.entries<JsonValue>(kwargsOf(part)).filter(([name]) => MODEL_SETTINGS.test(name));
  return toPromptSettings(Object.fromEntries(known), leaveOut);
}
