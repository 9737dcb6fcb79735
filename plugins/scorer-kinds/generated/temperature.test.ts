import { describe, expect, it } from 'vitest';
import { Definition } from './definition.ts';
import { parseTemperature } from './temperature.ts';

const of = (model_name: string, more: object = {}) =>
  parseTemperature(Definition.parse({ user_prompt: 'x', model_name, ...more }));

describe('temperature of a call', () => {
  it('is sent only to models that are known to take it', () => {
    for (const name of ['gpt-4.1-mini', 'gpt-4o', 'openai/gpt-4o-mini', 'eu.anthropic.claude-3-5-haiku', 'gemini-2.5-pro']) {
      expect(of(name)).toBe(0.7);
    }
    for (const name of ['gpt-5', 'gpt-5.1-mini', 'o3', 'o4-mini', 'claude-opus-4-7', 'gemini-3-pro', 'our-own']) {
      expect(of(name)).toBeUndefined();
    }
  });

  it('is 0 for one judge, and what the scorer says where it says so', () => {
    expect(of('gpt-4o', { num_judges: 1 })).toBe(0);
    expect(of('our-own', { temperature: 0.2 })).toBe(0.2);
  });
});
