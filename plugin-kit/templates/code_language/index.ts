import { defineCodeLanguage, sandboxedLanguage } from '../../../core/plugin-sdk/index.ts';

export const sampleLanguage = defineCodeLanguage({
  id: 'sample_language',
  sdk: 1,
  stability: 'experimental',
  label: 'Sample language',
  summary: 'One condition a line, of which all have to hold.',
  extensions: ['.sample-language'],
  starter: 'output has please\noutput shorter 200\n',
  preparation: new URL('./prepare.ts', import.meta.url),
  create: sandboxedLanguage,
});
