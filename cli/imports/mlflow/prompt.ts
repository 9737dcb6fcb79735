import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { isJsonObject, toStructured } from '../../../core/plugin-sdk/otel/index.ts';
import { toPromptSettings } from '../prompt-settings.ts';
import type { Imported, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';

/** Tags that a version of a prompt keeps itself in. */
const TEXT = 'mlflow.prompt.text';
const MODEL = ['mlflow.prompt.model_config', '_mlflow_prompt_model_config'];
const RESERVED = /^_?mlflow[._]prompt/;

/** A version of a prompt, with its aliases as labels. Variables are written as here, but for spaces in the braces. */
export function toPromptVersion(row: SourceRow, { leaveOut }: RowContext): readonly Imported[] | undefined {
  const tags = toMap(row.structured('tags'));
  const [name, version] = [row.text('name'), row.number('version')];
  const template = row.structured('template') ?? toStructured(tags[TEXT] ?? null);
  if (name === undefined || version === undefined || template === null) return undefined;
  const content = Array.isArray(template)
    ? (template as readonly JsonValue[]).filter(isJsonObject).map(toMessage)
    : tight(String(template));
  const config = row.object('model_config') ?? MODEL.map((tag) => toStructured(tags[tag] ?? null)).find(isJsonObject) ?? {};
  const { provider: _provider, ...given } = config;
  const settings = toPromptSettings(given, leaveOut);
  for (const tag of Object.keys(tags)) if (!RESERVED.test(tag)) leaveOut('a tag of a prompt');
  if (row.value('response_format') !== undefined) leaveOut('response format of a prompt');
  const labels = row.list('aliases').map((alias) => (isJsonObject(alias) ? String(alias.alias ?? alias.name) : String(alias)));
  const message = row.text('commit_message', 'description');
  row.skip(
    'creation_timestamp',
    'last_updated_timestamp',
    'user_id',
    'uri',
    'variables',
    'current_stage',
    'source',
    'status',
    'run_id',
  );
  row.skip('is_text_prompt', 'run_link', 'status_message');
  for (const field of row.unread()) leaveOut(`${field} of a prompt`);
  return [{ kind: 'prompt', name, version, content, labels, settings, message }];
}

function toMap(value: JsonValue | undefined): JsonObject {
  if (isJsonObject(value)) return value;
  const pairs = Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
  return Object.fromEntries(pairs.flatMap(({ key, value: one }) => (typeof key === 'string' ? [[key, one ?? null]] : [])));
}

const toMessage = (message: JsonObject): JsonObject =>
  typeof message.content === 'string' ? { ...message, content: tight(message.content) } : message;

const tight = (text: string): string => text.replaceAll(/\{\{\s*([^{}\s]+)\s*\}\}/g, '{{$1}}');
