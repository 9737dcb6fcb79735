import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { START_COMMAND } from './start-command.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, '..', name), 'utf8');

describe('the command that starts the service', () => {
  it('is the same by npm, in the image and in tests', () => {
    expect(JSON.parse(read('package.json')).scripts.start).toBe(['node', ...START_COMMAND].join(' '));
    expect(read('Dockerfile')).toContain(`\nCMD ${JSON.stringify(['node', ...START_COMMAND]).replaceAll(',', ', ')}\n`);
  });
});
