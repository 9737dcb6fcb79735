import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openinference } from './index.ts';

/** The case that the kit tries the plugin with. */
export const openinferenceKit = {
  plugin: openinference,
  folder: import.meta.dirname,
  spans: JSON.parse(readFileSync(join(import.meta.dirname, 'spans.json'), 'utf8')),
  not_kept: ['input.mime_type', 'output.mime_type'],
};
