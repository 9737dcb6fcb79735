import { readFileSync } from 'node:fs';

const FOLDER = new URL('../core/scorers/presets/programs/', import.meta.url);

/** The source of a preset's program as it stands in its file. */
export const presetProgram = (program: string): string => readFileSync(new URL(`${program}.ts`, FOLDER), 'utf8');
