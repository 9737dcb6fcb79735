import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mlflow } from './index.ts';

/** What the kit needs to know to try the plugin. */
export const mlflowKit = {
  plugin: mlflow,
  folder: import.meta.dirname,
  spans: JSON.parse(readFileSync(join(import.meta.dirname, 'spans.json'), 'utf8')),
};
