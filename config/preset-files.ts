import { readFileSync } from 'node:fs';

/** The text of a file that a plugin brings along for its presets. */
export const readPresetFile = (file: URL): string => readFileSync(file, 'utf8');
