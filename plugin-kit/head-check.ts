import assert from 'node:assert/strict';
import { malformed } from '../core/kernel/plugin-shape.ts';
import type { ModelProviderPlugin, ScorerKindPlugin } from '../core/plugin-sdk/index.ts';
import { type Check, check } from './check.ts';

export const headCheck = (plugin: ModelProviderPlugin | ScorerKindPlugin): Check =>
  check('has a well-formed head and is frozen', () => {
    assert.equal(malformed(plugin), undefined);
    assert.match(plugin.summary, /^[A-Z].*\.$/, 'the summary is to be a sentence');
    if (plugin.kind === 'model_provider') assert.match(plugin.label, /^\S(.*\S)?$/);
    assert.ok(Object.isFrozen(plugin), 'the plugin is to be frozen: make it by the SDK');
  });
