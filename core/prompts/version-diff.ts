import { z } from 'zod';
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { JsonValue } from '../kernel/json.ts';
import { diffLines } from './line-diff.ts';
import type { PromptContent } from './prompt-text.ts';
import type { StoredTemplateVersion } from './template.ts';

const SettingDiff = z.object({ name: z.string(), before: z.unknown(), after: z.unknown() }).meta({ id: 'TemplateSettingDiff' });

export const TemplateDiff = z
  .object({
    from_version: z.int(),
    to_version: z.int(),
    /** The content as text, messages with a line for their role, block by block. */
    blocks: z.array(z.object({ change: z.enum(['same', 'removed', 'added']), text: z.string() })),
    lines_added: z.int(),
    lines_removed: z.int(),
    /** Settings that differ, with tools and response format among them; null where there is none. */
    settings: z.array(SettingDiff),
  })
  .meta({ id: 'TemplateDiff' });
export type TemplateDiff = z.output<typeof TemplateDiff>;

/** The difference between two versions of a template. */
export function diffVersions(before: StoredTemplateVersion, after: StoredTemplateVersion): TemplateDiff {
  const blocks = diffLines(toDiffText(before.template), toDiffText(after.template));
  return {
    from_version: before.version,
    to_version: after.version,
    blocks,
    lines_added: countLines(blocks, 'added'),
    lines_removed: countLines(blocks, 'removed'),
    settings: diffSettings(before, after),
  };
}

const countLines = (blocks: TemplateDiff['blocks'], wanted: string): number =>
  blocks.reduce((sum, { change, text }) => sum + (change === wanted ? text.split('\n').length : 0), 0);

function diffSettings(before: StoredTemplateVersion, after: StoredTemplateVersion): TemplateDiff['settings'] {
  const [old, now] = [before.settings, after.settings].map((settings) => new Map<string, JsonValue>(Object.entries(settings)));
  const names = [...new Set([...old!.keys(), ...now!.keys()])].sort();
  return names.flatMap((name) => {
    const [left, right] = [old!.get(name) ?? null, now!.get(name) ?? null];
    return canonicalJson(left) === canonicalJson(right) ? [] : [{ name, before: left, after: right }];
  });
}

/** Texts stand as they are; what else a message brings is a line of JSON. */
function toDiffText(content: PromptContent): string {
  if (typeof content === 'string') return content;
  const parts = content.map(({ role, content: said, ...more }) => {
    const text = typeof said === 'string' ? said : said.map((part) => JSON.stringify(part)).join('\n');
    const rest = Object.keys(more).length > 0 ? `\n${JSON.stringify(more)}` : '';
    return `[${role}]\n${text}${rest}`;
  });
  return parts.join('\n');
}
