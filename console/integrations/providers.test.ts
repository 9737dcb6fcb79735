import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ApiDescription, getProvider } from './providers.ts';

const description = JSON.parse(readFileSync('test/golden/openapi.json', 'utf8')) as ApiDescription;

describe('a provider of models in the console', () => {
  it('is called what its field in the description of the API says', () => {
    const provider = getProvider('azure', description);
    expect(provider.label).toBe('Azure OpenAI');
    expect(provider.summary).not.toBe('');
    expect(provider.fields.map(({ path }) => path.join('.'))).toContain('endpoint');
  });

  it('keeps its id for a name where the API describes no such operation', () => {
    expect(getProvider('unknown', description)).toEqual({ id: 'unknown', label: 'unknown', summary: '', fields: [] });
  });
});
