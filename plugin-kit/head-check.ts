import assert from 'node:assert/strict';
import type { Plugin } from '../core/kernel/plugin-kinds.ts';
import { malformed } from '../core/kernel/plugin-shape.ts';
import { z } from '../core/plugin-sdk/index.ts';
import { type Check, check, expectSame } from './check.ts';

export const headCheck = (plugin: Plugin): Check =>
  check('has a well-formed head and is frozen', () => {
    assert.equal(malformed(plugin), undefined);
    assert.match(plugin.summary, /^[A-Z].*\.$/, 'the summary is to be a sentence');
    if (plugin.kind === 'model_provider') assert.match(plugin.label, /^\S(.*\S)?$/);
    assert.ok(Object.isFrozen(plugin), 'the plugin is to be frozen: make it by the SDK');
  });

/** A field that is computed may be another one at the next read. */
export const fixedHeadCheck = (plugin: Plugin): Check =>
  check('has the same head at every read', () => {
    assert.deepEqual(computedFields(plugin), [], COMPUTED);
  });

const COMPUTED = 'fields that are computed at each read';

function computedFields(plugin: Plugin): string[] {
  const fields = Object.entries(Object.getOwnPropertyDescriptors(plugin));
  return fields.filter(([, { get }]) => get).map(([name]) => name);
}

/** A schema is read at start, for the API's document, and at each request; one that differs then lets settings in that do not fit. */
export const sameHeadCheck = (plugin: Exclude<Plugin, { kind: 'otel_dialect' | 'code_language' }>, given: unknown): Check =>
  check('has the same head and schema at every read', () => {
    assert.deepEqual(computedFields(plugin), [], COMPUTED);
    const schema = 'settings' in plugin ? plugin.settings : plugin.definition;
    const read = () => ({ printed: z.toJSONSchema(schema, { io: 'input' }), parsed: schema.parse(given) });
    const first = read();
    expectSame(read(), first);
    expectSame(read(), first);
  });
