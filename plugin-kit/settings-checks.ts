import assert from 'node:assert/strict';
import { secretPaths, withoutSecrets, z } from '../core/plugin-sdk/index.ts';
import { type Check, check, expectNone, expectSame } from './check.ts';
import type { ModelProviderCase, Stage } from './provider-stage.ts';

interface Printed {
  readonly type?: string;
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
}

/** How settings print, what they take, and that they keep their secrets. */
export function settingsChecks<S extends z.ZodType>({ plugin, settings }: ModelProviderCase<S>, { canaries }: Stage): Check[] {
  const schema = plugin.settings;
  const printed = () => z.toJSONSchema(schema, { io: 'input' }) as Printed;
  const given = settings as Readonly<Record<string, unknown>>;
  const refusing = (sent: object) => {
    const { error } = schema.safeParse(sent);
    if (!error) assert.fail('these settings are to be refused');
    expectNone(canaries, error);
    return error.issues;
  };

  return [
    check('has settings that print as JSON Schema, with a secret and a meaning for every field', () => {
      const { type, additionalProperties, properties = {} } = printed();
      assert.deepEqual({ type, additionalProperties }, { type: 'object', additionalProperties: false });
      assert.notDeepEqual(secretPaths(schema), [], 'no field is marked as a secret');
      const silent = Object.keys(properties).filter((name) => !properties[name]?.description);
      assert.deepEqual(silent, [], 'fields without a description');
    }),
    check('accepts its settings as they are printed back', () => {
      const parsed = schema.parse(settings);
      expectSame(schema.parse(JSON.parse(JSON.stringify(parsed))), parsed);
    }),
    check('refuses empty and unknown settings, without repeating a secret', () => {
      refusing({});
      const issues = refusing({ ...given, surprise: 'yes' });
      assert.partialDeepStrictEqual(issues, [{ code: 'unrecognized_keys', keys: ['surprise'] }]);
    }),
    check('refuses an unknown type of credentials by its name', () => {
      for (const field of ['authentication_type', 'credential_type'].filter((name) => name in (printed().properties ?? {})))
        assert.partialDeepStrictEqual(refusing({ ...given, [field]: 'surprise' }), [{ path: [field] }]);
    }),
    check('shows its settings without secrets', () => {
      assert.notDeepEqual(canaries, [], 'the settings of the case hold no secret');
      expectNone(canaries, withoutSecrets(schema, schema.parse(settings)));
    }),
  ];
}
