import { describe, expect, it } from 'vitest';
import type { PluginHead } from '../plugin-sdk/index.ts';
import { PluginRegistry } from './plugin-registry.ts';

const head = (id: string, sdk = 1): PluginHead => ({ id, sdk, stability: 'stable', summary: 'A plugin of the tests.' });

describe('PluginRegistry', () => {
  it('finds by id and lists in order', () => {
    const registry = new PluginRegistry([head('second'), head('first_one')]);
    expect(registry.find('second')?.id).toBe('second');
    expect(registry.find('third')).toBeUndefined();
    expect(registry.list().map(({ id }) => id)).toEqual(['first_one', 'second']);
  });

  it.each([
    ['a malformed id', [head('Not-Snake')], 'Not-Snake'],
    ['an id that is taken', [head('same'), head('same')], 'same'],
    ['another SDK version', [head('later', 2)], 'later'],
  ])('refuses %s and names the plugin', (_, plugins, name) => {
    expect(() => new PluginRegistry(plugins)).toThrow(name);
  });
});
