import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COLUMNS, type SenderRow } from './sender-row.ts';
import { SENDERS } from './senders.ts';

export const SEEN = 'test/fixtures/otel/captured/seen';
export const DOCUMENTATION = 'docs/opentelemetry.md';
const START = '<!-- senders: npm run otel:table -->\n';
const END = '<!-- senders end -->\n';

/** Row of the table for a sender, the last line of what is seen of it. */
export function readRow(id: string): SenderRow {
  const lines = readFileSync(join(SEEN, `${id}.txt`), 'utf8')
    .trimEnd()
    .split('\n');
  return JSON.parse(lines.at(-1)!) as SenderRow;
}

/** The text with the table of senders in its place, and below it the lines of each sender. */
export function withTable(text: string): string {
  const [before, rest] = [text.slice(0, text.indexOf(START)), text.slice(text.indexOf(END))];
  return `${before}${START}\n${toTable()}\n${rest}`;
}

function toTable(): string {
  const rows = SENDERS.map(({ id, label }) => {
    const row = readRow(id);
    return `| ${label} | ${COLUMNS.map((column) => row[column]).join(' | ')} |`;
  });
  const lines = SENDERS.map(({ label, lines, script }) => {
    const shells = lines.filter((line) => line.startsWith('export '));
    const code = lines.filter((line) => !line.startsWith('export '));
    const blocks = [shells.length > 0 ? block('bash', shells) : '', block(script.endsWith('.py') ? 'python' : 'js', code)];
    return `**${label}**\n\n${blocks.filter(Boolean).join('\n\n')}\n`;
  });
  return [`| Sender | ${COLUMNS.join(' | ')} |`, `|---${'|---'.repeat(COLUMNS.length)}|`, ...rows, '', ...lines].join('\n');
}

const block = (language: string, lines: readonly string[]): string => `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``;
