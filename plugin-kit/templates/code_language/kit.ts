import { sampleLanguage } from './index.ts';

/** The case that the kit tries the plugin with. */
export const sampleLanguageKit = {
  plugin: sampleLanguage,
  folder: import.meta.dirname,
  source: 'output has please\noutput shorter 20\n',
  records: ['{"output":"yes, please"}', '{"output":"no"}', '{"output":null}'],
  expected: [
    { kind: 'returned', value: true },
    { kind: 'returned', value: false },
    { kind: 'returned', value: false },
  ],
  broken: { source: 'output has please\noutput is polite\n', line: 2 },
  unsigned: '\n',
  attempts: {
    // No more can be reached for by what is said between quotes.
    reaches: (url: string, path: string) => [
      `output has " + fetch(${JSON.stringify(url)}) + "`,
      `output has \${require('fs').readFileSync('${path}')}`,
    ],
  },
  lacks: ['throws', 'hangs', 'floods', 'shouts', 'gives_no_value', 'counts', 'changes', 'exits'],
} as const;
