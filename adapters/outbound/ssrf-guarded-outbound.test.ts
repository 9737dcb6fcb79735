import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PluginError } from '../../core/plugin-sdk/index.ts';
import { type OutboundSettings, SsrfGuardedOutbound } from './ssrf-guarded-outbound.ts';

let server: Server;
let port: number;
let answer: RequestListener;
let calls: number;
const opened: SsrfGuardedOutbound[] = [];

beforeEach(async () => {
  calls = 0;
  answer = (_req, res) => res.end('hello');
  server = createServer((req, res) => {
    calls += 1;
    answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function outbound(settings: Partial<OutboundSettings> = {}): SsrfGuardedOutbound {
  const made = new SsrfGuardedOutbound({ allowed: [], ...settings });
  opened.push(made);
  return made;
}
const failure = (call: Promise<unknown>): Promise<PluginError> =>
  call.then(
    () => expect.fail('was not refused'),
    (error) => error,
  );
/** Returns these addresses, one list per look, the last for ever. */
function names(...answers: readonly string[][]): NonNullable<OutboundSettings['lookup']> {
  let looks = 0;
  return (_host, _options, callback) => {
    const found = answers[Math.min(looks, answers.length - 1)]!;
    looks += 1;
    const addresses = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    setImmediate(() => callback(null, addresses));
  };
}

const DISGUISES = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  'localhost',
  'LOCALHOST',
];
const ELSEWHERE = [
  '10.0.0.1',
  '172.16.5.4',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '[fd00::1]',
  '[fe80::1]',
  '[2002:7f00:1::]',
];

describe('an address inside', () => {
  it.each([...DISGUISES, ...ELSEWHERE])('%s is refused when it is given and when it is called', async (host) => {
    const out = outbound();
    for (const url of [`https://${host}/`, `https://${host}:8443/`, `http://${host}:${port}/`]) {
      expect(await out.allows(url)).toBe(false);
      expect(await failure(out.fetch(url))).toMatchObject({ name: 'PluginError', failure: 'unsupported' });
    }
    expect(calls).toBe(0);
  });

  it('is refused by the look at the connection too, where the look at the name is passed', async () => {
    const out = outbound({ lookup: names(['127.0.0.1']) });
    expect(await out.allows('https://gateway.example.org:8443/')).toBe(false);
    expect(await failure(out.fetch('https://gateway.example.org:8443/'))).toMatchObject({ failure: 'unsupported' });
  });

  it.each([[['127.0.0.1']], [['::1']], [['::ffff:10.0.0.1']]])(
    'is refused when a name turns to %s after it was looked at',
    async (turned) => {
      const out = outbound({ lookup: names(['93.184.215.14'], turned) });
      expect(await out.allows('https://rebound.example.org/')).toBe(true);
      expect(await failure(out.fetch('https://rebound.example.org/'))).toMatchObject({
        failure: 'unsupported',
        message: 'the URL is not one that may be called',
      });
    },
  );

  it('is refused when it is one of several that a name stands for', async () => {
    const out = outbound({ lookup: names(['93.184.215.14', '10.0.0.1']) });
    expect(await out.allows('https://two.example.org/')).toBe(false);
  });
});

describe('a public address', () => {
  it('is allowed by https alone, at the usual ports, without a user', async () => {
    const out = outbound({ lookup: names(['93.184.215.14', '2606:2800:21f::1']) });
    for (const good of ['https://example.org', 'https://example.org:8443/v1', 'https://93.184.215.14/'])
      expect(await out.allows(good), good).toBe(true);
    for (const bad of [
      'http://example.org',
      'https://example.org:22',
      'https://user:pass@example.org',
      'ftp://example.org',
      'file:///etc/passwd',
      'unix:/tmp/socket',
      'example.org',
      '',
    ]) {
      expect(await out.allows(bad), bad).toBe(false);
      expect(await failure(out.fetch(bad)), bad).toMatchObject({ name: 'PluginError', failure: 'unsupported' });
    }
  });

  it('is not allowed when its name cannot be found', async () => {
    const out = outbound({ lookup: (_host, _options, callback) => callback(new Error('not found'), []) });
    expect(await out.allows('https://nowhere.example.org/')).toBe(false);
    expect(await failure(out.fetch('https://nowhere.example.org/'))).toMatchObject({
      failure: 'unavailable',
      message: 'the URL could not be reached',
    });
  });
});

describe('an address that the operator allows', () => {
  it.each<[string, (port: number) => string, string]>([
    ['by name', () => 'localhost', 'localhost'],
    ['by name and port', (port) => `localhost:${port}`, 'localhost'],
    ['by name, however it is spelt', () => 'LocalHost', 'localhost.'],
    ['by address', () => '127.0.0.1', '127.0.0.1'],
    ['by network', () => '127.0.0.0/8', '127.0.0.1'],
  ])('%s is called, by http too', async (_what, entry, host) => {
    const out = outbound({ allowed: [entry(port)], lookup: names(['127.0.0.1']) });
    const url = `http://${host}:${port}/`;
    expect(await out.allows(url)).toBe(true);
    expect(await (await out.fetch(url)).text()).toBe('hello');
  });

  it('opens neither another port nor another address', async () => {
    const out = outbound({ allowed: [`localhost:${port}`, '10.1.0.0/16', '::1'] });
    for (const url of [`http://localhost:${port + 1}/`, `http://127.0.0.1:${port}/`, 'http://10.2.0.1/'])
      expect(await out.allows(url), url).toBe(false);
    for (const url of ['http://10.1.2.3/', 'http://[::1]:8000/']) expect(await out.allows(url), url).toBe(true);
  });

  it('as a network is also where names may lead, by https', async () => {
    const lookup = names(['10.1.2.3']);
    expect(await outbound({ allowed: ['10.1.0.0/16'], lookup }).allows('https://gateway.internal/')).toBe(true);
    expect(await outbound({ allowed: ['10.1.0.0/16'], lookup }).allows('http://gateway.internal/')).toBe(false);
    expect(await outbound({ allowed: ['10.2.0.0/16'], lookup }).allows('https://gateway.internal/')).toBe(false);
  });
});

describe('a call', () => {
  const local = (settings: Partial<OutboundSettings> = {}) => outbound({ allowed: ['127.0.0.1'], ...settings });
  const url = (path = '/') => `http://127.0.0.1:${port}${path}`;

  it('sends what it is given and returns what comes', async () => {
    answer = async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      res.statusCode = 201;
      res.setHeader('x-seen', `${req.method} ${req.headers['x-key']} ${req.headers['content-type']}`);
      res.end(Buffer.concat(chunks));
    };
    const sent = await local().fetch(url(), { method: 'POST', headers: { 'x-key': 'k' }, body: new URLSearchParams({ a: 'ü' }) });
    expect([sent.status, sent.headers.get('x-seen'), await sent.text()]).toEqual([
      201,
      'POST k application/x-www-form-urlencoded;charset=UTF-8',
      'a=%C3%BC',
    ]);
    const asRequest = await local().fetch(new Request(url(), { method: 'PUT', body: '{}', headers: { 'x-key': 'r' } }));
    expect(asRequest.headers.get('x-seen')).toBe('PUT r text/plain;charset=UTF-8');
    answer = (_req, res) => res.writeHead(204).end();
    expect((await local().fetch(url())).status).toBe(204);
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect of status %d, whatever was asked for', async (status) => {
    answer = (_req, res) => res.writeHead(status, { location: 'http://169.254.169.254/latest/meta-data' }).end();
    for (const redirect of ['follow', 'manual'] as const)
      expect(await failure(local().fetch(url(), { redirect }))).toMatchObject({ failure: 'bad_reply', status });
    expect(calls).toBe(2);
  });

  it('reads no more than it may, counted after inflating', async () => {
    const big = Buffer.alloc(200_000, 'x');
    answer = (req, res) => {
      if (req.url === '/small') return void res.end(big.subarray(0, 1000));
      if (req.url === '/plain') return void res.end(big);
      return void res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(big));
    };
    const out = local({ maxReplyBytes: 1000 });
    expect((await (await out.fetch(url('/small'))).text()).length).toBe(1000);
    for (const path of ['/plain', '/gzip'])
      expect(await failure(out.fetch(url(path)).then((res) => res.text())), path).toMatchObject({ failure: 'bad_reply' });
  });

  it('does not wait for ever, neither for a reply to begin nor for its rest', async () => {
    answer = (req, res) => {
      if (req.url === '/half') res.write('half');
    };
    const out = local({ replyMs: 200 });
    for (const path of ['/', '/half']) {
      const error = await failure(out.fetch(url(path)).then((res) => res.text()));
      expect(error).toMatchObject({ name: 'PluginError', failure: 'unavailable', message: 'the URL did not respond in time' });
    }
  });

  it('goes by TLS where the address says so', async () => {
    const first = new Promise<Buffer>((resolve) => {
      server.once('connection', (socket) => socket.prependOnceListener('data', resolve));
    });
    const call = failure(local().fetch(url().replace('http:', 'https:')));
    const HANDSHAKE = 0x16;
    expect((await first)[0]).toBe(HANDSHAKE);
    expect(await call).toMatchObject({ failure: 'unavailable' });
  });

  it('says no more than that an address cannot be reached, and repeats nothing that was sent', async () => {
    answer = (req) => req.socket.destroy();
    const broken = await failure(local().fetch(url(), { headers: { authorization: 'Bearer canary' } }));
    expect(broken).toMatchObject({ failure: 'unavailable', message: 'the URL could not be reached' });
    expect(broken.cause).toBeUndefined();
    const header = await failure(local().fetch(url(), { headers: { authorization: 'canary\n2' } }));
    expect(`${header.message}${header.stack}${String(header.cause)}`).not.toContain('canary');
  });

  it('ends with the reason of its signal', async () => {
    answer = () => {};
    const reason = new Error('enough');
    const controller = new AbortController();
    const call = local().fetch(url(), { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 50);
    await expect(call).rejects.toBe(reason);
    await expect(local().fetch(url(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('uses no proxy of the environment', async () => {
    process.env.HTTP_PROXY = process.env.http_proxy = 'http://127.0.0.1:1';
    try {
      expect(await (await local().fetch(url())).text()).toBe('hello');
    } finally {
      delete process.env.HTTP_PROXY;
      delete process.env.http_proxy;
    }
  });

  it('throws nothing but PluginErrors', async () => {
    expect(await failure(local().fetch('http://127.0.0.1:1/'))).toBeInstanceOf(PluginError);
  });
});

describe('a reply that is read while it comes', () => {
  it('is ended by the signal of the caller, also when memory was collected meanwhile', async () => {
    let isLeft = false;
    answer = (_req, res) => {
      res.once('close', () => {
        isLeft = true;
      });
      res.write('first');
    };
    const stop = new AbortController();
    const reading = readAll(outbound({ allowed: ['127.0.0.1'] }), `http://127.0.0.1:${port}/`, stop.signal);
    await reading.first;
    // Objects that hang together by signals alone are gone after some rounds.
    for (let round = 0; round < 5; round += 1) {
      collectGarbage();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    stop.abort(new Error('enough'));
    await expect(reading.all).rejects.toThrow('enough');
    await expect.poll(() => isLeft).toBe(true);
  });
});

function readAll({ fetch }: SsrfGuardedOutbound, url: string, signal: AbortSignal) {
  const first = Promise.withResolvers<void>();
  const all = async (): Promise<void> => {
    for await (const _chunk of (await fetch(url, { signal })).body!) first.resolve();
  };
  return { first: first.promise, all: all() };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
