import { attempts } from '../javascript/kit.ts';
import { typescript } from './index.ts';

/** The case that the kit tries the plugin with. */
export const typescriptKit = {
  plugin: typescript,
  folder: import.meta.dirname,
  source: 'interface Answered { output: string }\nexport default ({ output }: Answered): number => output.length as number;',
  records: ['{"output":"four"}', '{"output":null}'],
  expected: [
    { kind: 'returned', value: 4 },
    { kind: 'threw', message: "TypeError: Cannot read properties of null (reading 'length') (scorer.ts:2:57)" },
  ],
  broken: { source: 'type Score = number;\nfunction scorer(): Score {\n  return 1 1;\n}\n', line: 3 },
  unsigned: 'const judge = (): number => 1;',
  attempts,
} as const;
