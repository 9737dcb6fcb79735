import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { isJsonObject } from '../../../core/plugin-sdk/otel/index.ts';
import { toPromptSettings } from '../prompt-settings.ts';
import type { Imported, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';

/** One version of a prompt, text or chat. Variables are written as here. */
export function toPrompt(row: SourceRow, { leaveOut }: RowContext): readonly Imported[] | undefined {
  const [name, version, prompt] = [row.text('name'), row.number('version'), row.structured('prompt')];
  if (name === undefined || version === undefined || prompt === undefined) return undefined;
  const content = Array.isArray(prompt)
    ? (prompt as readonly JsonValue[]).filter(isJsonObject).map(toMessage)
    : row.text('prompt')!;
  const settings = toPromptSettings(row.object('config') ?? {}, leaveOut);
  const labels = row.texts('labels');
  for (const _ of row.texts('tags')) leaveOut('a tag of a prompt');
  row.skip(
    'id',
    'type',
    'projectId',
    'createdAt',
    'updatedAt',
    'createdBy',
    'isActive',
    'project_id',
    'created_at',
    'updated_at',
  );
  const message = row.text('commitMessage', 'commit_message');
  for (const field of row.unread()) leaveOut(`${field} of a prompt`);
  return [{ kind: 'prompt', name, version, content, labels, settings, message }];
}

/** A placeholder stands for messages that the application puts in: here a variable in a message of its own. */
function toMessage(message: JsonObject): JsonObject {
  if (message.type !== 'placeholder') {
    const { type: _type, ...rest } = message;
    return rest;
  }
  return { role: 'placeholder', content: `{{${String(message.name)}}}` };
}
