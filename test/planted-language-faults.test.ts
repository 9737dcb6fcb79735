import { describe, expect, it } from 'vitest';
import { codeLanguageChecks } from '../plugin-kit/code-language/language-checks.ts';
import { languageFaults } from './plugin-kit/language-faults.ts';

describe('the kit of code languages', () => {
  it('knows at least ten faults, each of its own', () => {
    expect(languageFaults.length).toBeGreaterThanOrEqual(10);
    expect(new Set(languageFaults.map(({ what }) => what)).size).toBe(languageFaults.length);
  });

  it.each(languageFaults)('finds, by "$found", a language that $what', { timeout: 40_000 }, async ({ found, make }) => {
    const list = codeLanguageChecks(make());
    const checks = list.checks.filter(({ name }) => name === found);
    expect(checks).toHaveLength(1);
    await list.open();
    try {
      list.reset();
      await expect((async () => checks[0]!.run())()).rejects.toThrow();
    } finally {
      await list.close();
    }
  });
});
