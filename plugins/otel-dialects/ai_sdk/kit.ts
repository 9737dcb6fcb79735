import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aiSdk } from './index.ts';

/** What the kit needs to know to try the plugin. */
export const aiSdkKit = {
  plugin: aiSdk,
  folder: import.meta.dirname,
  spans: JSON.parse(readFileSync(join(import.meta.dirname, 'spans.json'), 'utf8')),
};
