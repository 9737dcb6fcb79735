import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isEssential, type SettingsField, type SettingsSchema, toSettingsFields } from './settings-schema.ts';
import { isSet, readSettings, toFieldText } from './settings-values.ts';

interface Description {
  readonly components: { readonly schemas: Readonly<Record<string, SettingsSchema>> };
}
const described = JSON.parse(readFileSync('test/golden/openapi.json', 'utf8')) as Description;
const fieldsFor = (provider: string): SettingsField[] =>
  toSettingsFields(described.components.schemas[`Put${provider}IntegrationRequest`]!);
const kinds = (provider: string) => Object.fromEntries(fieldsFor(provider).map(({ path, kind }) => [path.join('.'), kind]));
const filled = (provider: string, form: Record<string, string>) =>
  readSettings(fieldsFor(provider), (name) => form[name] ?? null);

describe('the fields of a provider', () => {
  it('come from what the API says of its settings', () => {
    expect(kinds('Openai')).toEqual({ token: 'secret', organization_id: 'text' });
    expect(kinds('Azure')).toMatchObject({
      token: 'secret',
      endpoint: 'url',
      proxy: 'flag',
      authentication_type: 'choice',
      deployments: 'json',
      available_deployments: 'json',
      multi_modal_config: 'group',
    });
    expect(kinds('Custom')).toMatchObject({ models: 'lines', token: 'secret', api_key_value: 'secret' });
  });

  it('leave out what can only be null', () => {
    const properties = { token: { type: 'string' }, reserved: { type: 'null' } };
    expect(toSettingsFields({ type: 'object', properties }).map(({ path }) => path)).toEqual([['token']]);
  });

  it('hide every text of a secret that has several forms', () => {
    const token = fieldsFor('CloudModelHosting').find(({ path }) => path[0] === 'token')!;
    const forms = token.kind === 'forms' ? token.forms : [];
    expect(forms.map((form) => form.map(({ path, kind }) => `${path.join('.')} ${kind}`))).toEqual([
      ['token.cloud_access_key_id secret', 'token.cloud_secret_access_key secret', 'token.cloud_session_token secret'],
      ['token.role_arn secret', 'token.external_id secret'],
    ]);
  });

  it('begin with what has to be thought about', () => {
    const essential = fieldsFor('Azure').filter(isEssential);
    expect(essential.map(({ path }) => path.join('.'))).toEqual(['token', 'endpoint', 'authentication_type']);
  });
});

describe('filled in fields', () => {
  it('become settings without what was left empty', () => {
    expect(filled('Openai', { token: 'sk-1', organization_id: ' ' })).toEqual({ token: 'sk-1' });
    expect(filled('Custom', { endpoint: 'https://a.example', models: 'one\n two \n\n' })).toEqual({
      endpoint: 'https://a.example',
      models: ['one', 'two'],
    });
  });

  it('take numbers, flags, groups, JSON and the form that was chosen', () => {
    expect(filled('Azure', { token: 't', proxy: 'on', deployments: '{"a":"b"}', 'multi_modal_config.max_files': '3' })).toEqual({
      token: 't',
      proxy: true,
      deployments: { a: 'b' },
      multi_modal_config: { max_files: 3 },
    });
    expect(filled('CloudModelHosting', { 'token#form': '1', 'token.role_arn': 'arn:1', 'token.external_id': 'x' })).toMatchObject(
      { token: { role_arn: 'arn:1', external_id: 'x' } },
    );
  });

  it('name the field whose text is not JSON', () => {
    expect(() => filled('Azure', { deployments: '{' })).toThrow('deployments: is not JSON');
  });

  it('show what is set, else the default, and nothing of an empty map', () => {
    const text = (name: string, known = {}) => toFieldText(fieldsFor('Azure').find(({ path }) => path[0] === name)!, known);
    expect(text('endpoint', { endpoint: 'https://a.example' })).toBe('https://a.example');
    expect(text('api_version')).toBe('2025-03-01-preview');
    expect(text('deployments')).toBe('');
    expect(text('deployments', { deployments: { a: 'b' } })).toContain('"a": "b"');
    const proxy = fieldsFor('Azure').find((field) => field.kind === 'flag')!;
    expect([isSet(proxy as never, {}), isSet(proxy as never, { proxy: true })]).toEqual([false, true]);
  });
});
