import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openinference } from './index.ts';

/** What the kit needs to know to try the plugin. */
export const openinferenceKit = {
  plugin: openinference,
  folder: import.meta.dirname,
  spans: JSON.parse(readFileSync(join(import.meta.dirname, 'spans.json'), 'utf8')),
  not_kept: ['input.mime_type', 'output.mime_type'],
};
