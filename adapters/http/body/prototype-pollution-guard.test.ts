import { expect, it } from 'vitest';
import { z } from 'zod';
import { findPollutingKeys, mayHoldPollutingKeys } from './prototype-pollution-guard.ts';

const Body = z.object({ name: z.string(), kept: z.unknown().optional(), list: z.array(z.looseObject({})).optional() });
const places = (text: string) => {
  const sent: unknown = JSON.parse(text);
  return (mayHoldPollutingKeys(Buffer.from(text)) ? findPollutingKeys(sent, Body.parse(sent)) : []).map(({ loc }) =>
    loc.join('.'),
  );
};

it.each([
  ['of the body', '{"name":"x","__proto__":1}', ['body.__proto__']],
  ['of an element', '{"name":"x","list":[{},{"a":{"__proto__":1},"__proto__":2}]}', ['body.list.1.__proto__']],
  ['spelt by its numbers', '{"name":"x","\\u005F_proto_\\u005f":1}', ['body.__proto__']],
  ['in a field that nothing reads', '{"name":"x","other":{"__proto__":1}}', ['body.other.__proto__']],
])('finds a key __proto__ %s that the schema leaves out', (_where, text, found) => {
  expect(places(text)).toEqual(found);
});

it.each([
  ['is kept', '{"name":"x","kept":{"__proto__":{"a":[{"__proto__":1}]}}}'],
  ['is kept as it was sent', '{"name":"x","list":[{"deep":[{"__proto__":1}]}]}'],
  ['is a text', '{"name":"__proto__","list":[{"a":"__proto__"}]}'],
  ['is another one', '{"name":"x","constructor":1,"kept":"\\u0000"}'],
])('lets a key pass that %s', (_what, text) => {
  expect(places(text)).toEqual([]);
});
