import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Env, readConfig, readStoredConfig } from './env.ts';
import { toFileUrlSigning } from './wiring/file-contents.ts';

const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
const examples = Object.fromEntries([...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));

describe('the configuration', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 8088,
      databaseUrl: undefined,
      role: 'all',
      apiKeyHeaders: ['Service-API-Key'],
    });
  });

  it('is listed whole in .env.example, with its defaults', () => {
    expect(Object.keys(examples).sort()).toEqual(Object.keys(Env.shape).sort());
    expect(readConfig(examples)).toEqual(readConfig({}));
  });

  it('tells all problems at once', () => {
    const read = () => readConfig({ PORT: 'http', DATABASE_URL: 'mysql://x', ROLE: 'boss', ADMIN_API_KEY: 'short' });
    expect(read).toThrow(/PORT[\s\S]*/);
    for (const name of ['PORT', 'DATABASE_URL', 'ROLE', 'ADMIN_API_KEY']) expect(read).toThrow(name);
  });

  it('refuses what makes no sense with a store that is in memory', () => {
    expect(readConfig({ STORE: 'memory' })).toMatchObject({ store: 'memory', role: 'all' });
    const read = () => readConfig({ STORE: 'memory', DATABASE_URL: 'postgres://localhost/x', ROLE: 'worker' });
    expect(read).toThrow(/is of no use with STORE=memory[\s\S]*DATABASE_URL[\s\S]*has to be all with STORE=memory[\s\S]*ROLE/);
    expect(() => readStoredConfig({ STORE: 'memory' })).toThrow('STORE=memory keeps nothing');
  });

  it('takes a replica of a database of the user alone', () => {
    const replica = 'postgres://localhost:5433/x';
    const read = (url: string) => readConfig({ DATABASE_URL: url, DATABASE_READ_URL: replica }).replica;
    expect(read('postgres://localhost/x')).toEqual({ url: replica, maxStalenessMs: 10_000 });
    expect(() => read('')).toThrow(/is a replica of the database at DATABASE_URL, which is not set[\s\S]*DATABASE_READ_URL/);
  });

  it('takes a pooler before a database of the user alone', () => {
    const pooler = 'postgres://localhost:6432/x';
    const read = (url: string) => readConfig({ DATABASE_URL: url, DATABASE_POOLER_URL: pooler }).poolerUrl;
    expect(read('postgres://localhost/x')).toBe(pooler);
    expect(() => read('')).toThrow(/is a pooler before the database at DATABASE_URL, which is not set[\s\S]*DATABASE_POOLER_URL/);
  });

  it.each([
    ['TRACE_QUIET_SECONDS', 'TRACE_IDLE_SECONDS'],
    ['SESSION_QUIET_SECONDS', 'SESSION_IDLE_SECONDS'],
    ['PATH_ALIASES', 'WORD_ALIASES'],
  ])('refuses %s, the former name of %s, beside all other problems', (former, name) => {
    expect(Object.keys(Env.shape)).toContain(name);
    expect(() => readConfig({ [former]: '90' })).toThrow(`${former} is called ${name} now`);
    expect(() => readConfig({ [former]: '90', PORT: 'http' })).toThrow(/PORT/);
    expect(readConfig({ [former]: '' })).toEqual(readConfig({}));
  });

  it('signs addresses of files for an hour at most, and none unless told to', () => {
    const bucket = { FILE_BUCKET: 'bucket', FILE_BUCKET_ACCESS_KEY_ID: 'id', FILE_BUCKET_SECRET_ACCESS_KEY: 'secret' };
    expect(toFileUrlSigning(readConfig(bucket).fileStore)).toBeUndefined();
    expect(toFileUrlSigning(readConfig({ FILE_URL_SECONDS: '60' }).fileStore)).toBeUndefined();
    expect(toFileUrlSigning(readConfig({ ...bucket, FILE_URL_SECONDS: '3600' }).fileStore)).toMatchObject({ seconds: 3_600 });
    for (const FILE_URL_SECONDS of ['3601', '-1', '1.5']) expect(() => readConfig({ ...bucket, FILE_URL_SECONDS })).toThrow();
  });

  it('signs for the name that clients know the bucket by', async () => {
    const bucket = { FILE_BUCKET: 'bucket', FILE_BUCKET_ACCESS_KEY_ID: 'id', FILE_BUCKET_SECRET_ACCESS_KEY: 'secret' };
    const names = { FILE_BUCKET_ENDPOINT: 'http://minio:9000', FILE_BUCKET_PUBLIC_ENDPOINT: 'https://files.example.com/s3/' };
    const { signer } = toFileUrlSigning(readConfig({ ...bucket, ...names, FILE_URL_SECONDS: '60' }).fileStore)!;
    const reading = { content_type: 'image/png', disposition: 'inline', at: new Date(), seconds: 60 };
    expect(await signer.signRead('a/b', reading)).toMatch('https://files.example.com/s3/bucket/a/b?');
  });

  it('exports to a folder or a bucket, and wants keys for a bucket', () => {
    const keys = { EXPORT_BUCKET_ACCESS_KEY_ID: 'id', EXPORT_BUCKET_SECRET_ACCESS_KEY: 'secret' };
    expect(readConfig({ EXPORT_TO: './out' })).toMatchObject({ exportTo: './out', exportIntervalSeconds: 300 });
    expect(readConfig({ EXPORT_TO: 's3://my-bucket/some/where', ...keys }).exportBucket).toMatchObject({
      accessKeyId: 'id',
      region: 'us-east-1',
    });
    expect(() => readConfig({ EXPORT_TO: 's3://my-bucket' })).toThrow(
      'needs EXPORT_BUCKET_ACCESS_KEY_ID and EXPORT_BUCKET_SECRET_ACCESS_KEY',
    );
    for (const EXPORT_TO of ['https://example.org', 's3://', 's3://Bucket', 's3://my-bucket/a?b', 'gs://my-bucket'])
      expect(() => readConfig({ EXPORT_TO, ...keys }), EXPORT_TO).toThrow(
        'is neither a folder nor of the form s3://bucket/prefix',
      );
  });

  it('takes an empty variable as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toEqual(readConfig({}));
  });

  it('reads lists and aliases', () => {
    const { apiKeyHeaders, wordAliases, plugins } = readConfig({
      API_KEY_HEADERS: 'Service-API-Key, X-Key',
      WORD_ALIASES: 'one=cloud_model_hosting,two=gateway',
      PLUGINS: './mine.js, other',
    });
    expect(apiKeyHeaders).toEqual(['Service-API-Key', 'X-Key']);
    expect(wordAliases).toEqual({ one: 'cloud_model_hosting', two: 'gateway' });
    expect(plugins).toEqual(['./mine.js', 'other']);
  });

  it('reads whom to trust as proxy: a number of hops or networks', () => {
    expect(readConfig({}).trustedProxies).toBe(false);
    expect(readConfig({ TRUSTED_PROXIES: '2' }).trustedProxies).toBe(2);
    expect(readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, loopback' }).trustedProxies).toEqual(['10.0.0.0/8', 'loopback']);
    expect(() => readConfig({ TRUSTED_PROXIES: 'everyone' })).toThrow('TRUSTED_PROXIES');
  });

  it('reads the origins whose pages may call: exact ones alone', () => {
    expect(readConfig({}).corsOrigins).toEqual([]);
    const corsOrigins = ['https://app.example.org', 'http://localhost:3000'];
    expect(readConfig({ CORS_ORIGINS: corsOrigins.join(', ') }).corsOrigins).toEqual(corsOrigins);
    for (const wrong of [
      '*',
      'null',
      'https://*.example.org',
      'app.example.org',
      'https://app.example.org/',
      'https://app.example.org/a',
    ])
      expect(() => readConfig({ CORS_ORIGINS: wrong })).toThrow('CORS_ORIGINS');
    for (const wrong of ['https://APP.example.org', 'https://app.example.org:443', 'https://a@app.example.org', 'file:///a'])
      expect(() => readConfig({ CORS_ORIGINS: wrong })).toThrow('CORS_ORIGINS');
  });

  it('reads where integrations may lead', () => {
    const entries = ['localhost', 'gateway.internal:8000', '10.1.0.0/16', '10.0.0.1', '[::1]:8000', 'fd00::/8', '::1'];
    expect(readConfig({ ALLOWED_PRIVATE_ENDPOINTS: entries.join(', ') }).allowedPrivateEndpoints).toEqual(entries);
    for (const wrong of ['http://localhost', 'localhost/8', '10.0.0.0/33', '10.0.0.0/8/8', 'a b', 'host:port', '*'])
      expect(() => readConfig({ ALLOWED_PRIVATE_ENDPOINTS: wrong }), wrong).toThrow('ALLOWED_PRIVATE_ENDPOINTS');
  });

  it('reads what plugins may know, and repeats nothing of it when it is wrong', () => {
    expect(readConfig({ PLUGIN_SETTINGS: '{"a": "b"}' }).pluginSettings).toEqual({ a: 'b' });
    for (const wrong of ['canary', '{"a": 7, "b": "canary"}', '["canary"]']) {
      expect(() => readConfig({ PLUGIN_SETTINGS: wrong })).toThrow('PLUGIN_SETTINGS');
      expect(() => readConfig({ PLUGIN_SETTINGS: wrong })).not.toThrow('canary');
    }
  });

  it('refuses an alias without a word', () => {
    expect(() => readConfig({ WORD_ALIASES: 'one' })).toThrow('alias=word');
  });
});
