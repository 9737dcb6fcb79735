import assert from 'node:assert/strict';
import { secretPaths, withoutSecrets, z } from '../core/plugin-sdk/index.ts';
import { type Check, check, expectNone, expectSame } from './check.ts';

interface Printed {
  readonly type?: string;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, { readonly description?: string; readonly default?: unknown }>>;
}
/** Names of fields that hold a secret as a rule. */
const SECRET_NAME = /(^|_)(api_?key|token|secret|password|credentials?)$/i;

interface SettingsCase {
  readonly plugin: { readonly settings: z.ZodType };
  readonly settings: unknown;
  readonly keyless?: boolean;
}

/** How settings print, what they take, and that they keep their secrets. */
export function settingsChecks(given: SettingsCase, { canaries }: { readonly canaries: readonly string[] }): Check[] {
  const { plugin, settings, keyless = false } = given;
  const schema = plugin.settings;
  const printed = () => z.toJSONSchema(schema, { io: 'input' }) as Printed;
  const fields = settings as Readonly<Record<string, unknown>>;
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
      if (keyless) assert.deepEqual(Object.keys(properties).filter(holdsSecret), [], 'keyless, with fields that hold a secret');
      else assert.notDeepEqual(secretPaths(schema), [], 'no field is marked as a secret');
      const silent = Object.keys(properties).filter((name) => !properties[name]?.description);
      assert.deepEqual(silent, [], 'fields without a description');
    }),
    check('has no default for a secret', () => {
      const { properties = {} } = printed();
      const secrets = new Set(secretPaths(schema).map(([name]) => name));
      const withDefault = Object.keys(properties).filter((name) => secrets.has(name) && hasText(properties[name]?.default));
      assert.deepEqual(withDefault, [], 'every user would share this secret, and the API would show it');
    }),
    check('accepts its settings as they are printed back', () => {
      const parsed = schema.parse(settings);
      expectSame(schema.parse(JSON.parse(JSON.stringify(parsed))), parsed);
    }),
    check('refuses empty and unknown settings, without repeating a secret', () => {
      if (!keyless || (printed().required ?? []).length > 0) refusing({});
      const issues = refusing({ ...fields, surprise: 'yes' });
      assert.partialDeepStrictEqual(issues, [{ code: 'unrecognized_keys', keys: ['surprise'] }]);
    }),
    check('refuses an unknown type of credentials by its name', () => {
      for (const field of ['authentication_type', 'credential_type'].filter((name) => name in (printed().properties ?? {})))
        assert.partialDeepStrictEqual(refusing({ ...fields, [field]: 'surprise' }), [{ path: [field] }]);
    }),
    check('shows its settings without secrets', () => {
      if (!keyless) assert.notDeepEqual(canaries, [], 'the settings of the case hold no secret');
      expectNone(canaries, withoutSecrets(schema, schema.parse(settings)));
    }),
  ];

  function holdsSecret(name: string): boolean {
    return SECRET_NAME.test(name) || secretPaths(schema).some(([first]) => first === name);
  }
}

const hasText = (value: unknown): boolean =>
  typeof value === 'string' ? value !== '' : Object.values(Object(value)).some(hasText);
