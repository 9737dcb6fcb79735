import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { genAi } from './index.ts';

/** The case that the kit tries the plugin with. */
export const genAiKit = {
  plugin: genAi,
  folder: import.meta.dirname,
  spans: JSON.parse(readFileSync(join(import.meta.dirname, 'spans.json'), 'utf8')),
};
