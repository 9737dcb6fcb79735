import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response as Reply } from 'express';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { sendLargeJson } from './large-json.ts';

async function received(reply: unknown): Promise<Response> {
  const app = express().get('/', (_, res: Reply) => sendLargeJson(res, reply));
  const server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const got = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return new Response(await got.text(), got);
  } finally {
    server.close();
  }
}

const many = (count: number) => Array.from({ length: count }, (_, at) => ({ at, text: 'é"\\'.repeat(20), none: undefined }));

describe('a large reply', () => {
  it.each<[string, unknown]>([
    ['nothing', null],
    ['an empty list', []],
    ['an empty object', {}],
    ['a list of many', many(60)],
    [
      'fields of every kind',
      {
        a: 1,
        b: null,
        c: undefined,
        d: new Date(0),
        e: [],
        f: {},
        g: [undefined, 1],
        h: many(500),
        i: { j: many(60), 'k"': 'x' },
      },
    ],
    ['a key that is reserved elsewhere', JSON.parse('{"records": [{"__proto__": 1}], "__proto__": {"a": 1}}')],
    ['more than one piece', { records: many(20_000), after: 'the end' }],
  ])('is the JSON of what it is: %s', async (_, reply) => {
    expect(await (await received(reply)).text()).toBe(JSON.stringify(reply));
  });

  it('says how long it is where it goes as one piece', async () => {
    const reply = await received({ records: many(3) });
    expect(reply.headers.get('content-length')).toBe(String(Buffer.byteLength(JSON.stringify({ records: many(3) }))));
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});
