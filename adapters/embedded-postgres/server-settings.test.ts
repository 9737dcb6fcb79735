import { describe, expect, it } from 'vitest';
import { asArguments, serverSettings, socketFolder } from './server-settings.ts';

const GIGABYTE = 1024 ** 3;

describe('serverSettings', () => {
  it.each([
    [0.2, '32MB'],
    [1, '128MB'],
    [24, '256MB'],
  ])('gives a machine with %d GB buffers of %s', (gigabytes, expected) => {
    const settings = serverSettings('/srv/data', 5433, { memory: gigabytes * GIGABYTE, processors: 2 });
    expect(settings).toMatchObject({ shared_buffers: expected, listen_addresses: '127.0.0.1', port: '5433' });
  });

  it('leaves durability alone', () => {
    const names = Object.keys(serverSettings('/srv/data', 5433));
    for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) expect(names).not.toContain(name);
  });

  it('becomes arguments', () => {
    expect(asArguments({ jit: 'off', port: '1' })).toStrictEqual(['-c', 'jit=off', '-c', 'port=1']);
  });
});

describe.skipIf(process.platform === 'win32')('socketFolder', () => {
  it('quotes the folder, since the setting is a list', () => {
    expect(socketFolder('/srv/my data, "new"', 5433)).toBe('"/srv/my data, ""new"""');
  });

  it('does without a socket when the path is too long, counted in bytes', () => {
    expect(socketFolder(`/${'x'.repeat(87)}`, 54321)).not.toBe('');
    expect(socketFolder(`/${'x'.repeat(88)}`, 54321)).toBe('');
    expect(socketFolder(`/${'ü'.repeat(44)}`, 54321)).toBe('');
  });
});
