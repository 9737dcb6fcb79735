import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mlflow } from './index.ts';

/** The case that the kit tries the plugin with. */
export const mlflowKit = {
  plugin: mlflow,
  folder: import.meta.dirname,
  spans: JSON.parse(readFileSync(join(import.meta.dirname, 'spans.json'), 'utf8')),
};
