import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  Endpoint,
  HeaderText,
  Hostname,
  jsonSchemaOf,
  mappedHeaders,
  readJson,
  secret,
  secretPaths,
  Token,
  withoutSecrets,
} from './settings.ts';

const settings = z
  .strictObject({
    token: Token.describe('A key.'),
    maybe: secret(z.string()).nullish(),
    nested: z.strictObject({ name: z.string(), key: secret(z.string()).default('k') }).nullable(),
    either: z.union([z.strictObject({ password: secret(z.string()) }), z.strictObject({ user: z.string() })]).optional(),
    headers: z.record(z.string(), secret(z.string())).default({}),
    list: z.array(z.strictObject({ key: secret(z.string()) })).default([]),
    open: z.string(),
  })
  .superRefine(() => {});

describe('secrets of settings', () => {
  it('are found wherever they stand; a list or map that holds one is secret as a whole', () => {
    expect(secretPaths(settings)).toEqual([
      ['token'],
      ['maybe'],
      ['nested', 'key'],
      ['either', 'password'],
      ['headers'],
      ['list'],
    ]);
  });

  it('stay marked whatever is said of the field afterwards', () => {
    const marked = secret(z.string().describe('First.')).describe('Second.').optional();
    expect(secretPaths(z.object({ marked }))).toEqual([['marked']]);
    expect(z.toJSONSchema(z.object({ marked })).properties).toEqual({
      marked: { type: 'string', writeOnly: true, description: 'Second.' },
    });
  });

  it('do not mark the schema they were made of', () => {
    const plain = z.string();
    secret(plain);
    expect(secretPaths(z.object({ plain }))).toEqual([]);
  });

  it('are left out of what is shown, and stay where they were', () => {
    const value = { token: 't', nested: { name: 'n', key: 'k' }, headers: { a: 'b' }, list: [{ key: 'k' }], open: 'o' };
    expect(withoutSecrets(settings, value)).toEqual({ nested: { name: 'n' }, open: 'o' });
    expect(value.nested.key).toBe('k');
    expect(withoutSecrets(settings, { nested: null, open: 'o' })).toEqual({ nested: null, open: 'o' });
  });
});

describe('schemas with an id', () => {
  const Named = z.object({ endpoint: z.string(), token: Token }).meta({ id: 'NamedSettings' });

  it('do not hide secrets, at the top or further in', () => {
    expect(secretPaths(Named)).toEqual([['token']]);
    expect(secretPaths(z.object({ inner: Named }))).toEqual([['inner', 'token']]);
    expect(withoutSecrets(Named, { endpoint: 'x', token: 'sk-1' })).toEqual({ endpoint: 'x' });
  });

  it('are printed where they stand; one that contains itself ends in a reference', () => {
    expect(jsonSchemaOf(Named)).toMatchObject({ type: 'object', properties: { endpoint: { type: 'string' } } });
    const Tree = z
      .object({
        get branches() {
          return z.array(Tree);
        },
      })
      .meta({ id: 'SettingsTree' });
    expect(jsonSchemaOf(Tree)).toMatchObject({
      type: 'object',
      properties: { branches: { items: { $ref: expect.any(String) } } },
    });
  });
});

describe('fields of settings', () => {
  it.each([
    [Token, 'sk-1', true],
    [Token, 'two words', false],
    [Token, 'line\nbreak', false],
    [HeaderText, 'two words', true],
    [HeaderText, 'ünicode', false],
    [Endpoint, 'https://example.org/v1/', true],
    [Endpoint, 'http://10.0.0.1:8080', true],
    [Endpoint, 'https://user@example.org', false],
    [Endpoint, 'https://example.org/?key=1', false],
    [Endpoint, 'file:///etc/passwd', false],
    [Hostname, 'example.org', true],
    [Hostname, 'https://example.org:8443/', true],
    [Hostname, 'example.org/path', false],
    [Hostname, 'user@example.org', false],
  ])('%# take %j: %s', (schema, text, accepted) => {
    expect(schema.safeParse(text).success).toBe(accepted);
  });

  it('read JSON in a text, and nothing else', () => {
    const Pair = z.object({ id: z.string() });
    expect(readJson(Pair, '{"id":"a","more":1}')).toEqual({ id: 'a' });
    expect(readJson(Pair, '{"id":1}')).toBeUndefined();
    expect(readJson(Pair, 'id=a')).toBeUndefined();
  });

  it('map labels of a call to headers, and leave out what fits none', () => {
    const call = { model: 'm-1', labels: { project_id: 'p-1', user: 'ünicode' } };
    const mapping = { model: 'x-model', project_id: 'x-project', user: 'x-user', run_id: 'x-run', toString: 'x-odd' };
    expect(mappedHeaders(mapping, call)).toEqual({ 'x-model': 'm-1', 'x-project': 'p-1' });
    expect(mappedHeaders(null, call)).toEqual({});
  });
});
