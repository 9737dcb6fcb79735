import * as fc from 'fast-check';
import type { ApiDocument, JsonSchema, Operation } from './document.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { NUMBERS, RAW_BODIES, TEXTS } from './hostile.ts';

const DEEPEST = 4;
const PLACES = fc.nat(60);

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ maxLength: 30 }));
const number = fc.oneof(fc.constantFrom(...NUMBERS), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));

/** Any value of JSON, the nasty ones more often than by chance. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 3, arbitrary: number },
  {
    weight: 2,
    arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], { a: null }, '11111111-1111-4111-8111-111111111111'),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: 1_500 }, (_, n) => n)) },
);

/** Whatever may be sent to an operation. */
export function requestsAt(operation: Operation, document: ApiDocument): fc.Arbitrary<FuzzRequest> {
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  const isForm = operation.requestBody?.content?.['multipart/form-data'] !== undefined;
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const hasPath = (operation.parameters ?? []).some((parameter) => parameter.in === 'path');
  const fuzzRequests: fc.WeightedArbitrary<FuzzRequest>[] = [
    { weight: 1, arbitrary: fc.constant({ kind: 'as_is' }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'anonymous' }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE').map((method) => ({ kind: 'method', method })),
    },
    { weight: 2, arbitrary: fc.tuple(text, text).map(([name, value]) => ({ kind: 'query', name, text: value })) },
  ];
  if (hasPath) fuzzRequests.push({ weight: 4, arbitrary: fc.record({ kind: fc.constant('param'), at: PLACES, text }) });
  for (const { name } of query)
    fuzzRequests.push({ weight: 3, arbitrary: text.map((value) => ({ kind: 'query', name, text: value })) });
  if (operation.requestBody) {
    const raw = fc.constantFrom(...RAW_BODIES).map(([type, body]) => ({ kind: 'raw' as const, type, text: body }));
    fuzzRequests.push({ weight: 5, arbitrary: raw });
  }
  if (isForm)
    fuzzRequests.push({
      weight: 15,
      arbitrary: fc.record({ kind: fc.constant('form'), name: formName, text, is_file: fc.boolean() }),
    });
  if (schema) {
    fuzzRequests.push(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('remove'), at: PLACES }) },
      { weight: 14, arbitrary: fc.record({ kind: fc.constant('put'), at: PLACES, value: anything }) },
      {
        weight: 6,
        arbitrary: fc.record({ kind: fc.constant('add'), at: PLACES, key: namesIn(schema, document), value: anything }),
      },
      { weight: 16, arbitrary: fc.record({ kind: fc.constant('body'), value: toValues(schema, document) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('body'), value: anything }) },
    );
  }
  return fc.oneof(...fuzzRequests);
}

const formName = fc.oneof(fc.constantFrom('file', 'name', 'format', 'dataset', 'version', 'hidden', 'draft'), text);

/** The names of fields that the schema has, and some that it has not. */
function namesIn(schema: JsonSchema, document: ApiDocument): fc.Arbitrary<string> {
  const { properties = {} } = resolved(schema, document) as { properties?: object };
  return fc.constantFrom('__proto__', 'constructor', 'unknown field', 'id', ...Object.keys(properties));
}

function resolved(schema: JsonSchema, { schemas }: ApiDocument): JsonSchema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1)! : undefined;
  return name === undefined ? schema : resolved(schemas[name]!, { schemas } as ApiDocument);
}

/** Values that fit a schema, or nearly: of texts with a pattern or a format only the usual ones do. */
function toValues(given: JsonSchema, document: ApiDocument, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolved(given, document);
  const inner = (one: unknown) => toValues(one as JsonSchema, document, depth + 1);
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  const choices = (schema.anyOf ?? schema.oneOf) as unknown[] | undefined;
  if (choices) return depth > DEEPEST ? fc.constant(null) : fc.oneof(...choices.map(inner));
  if (Array.isArray(schema.allOf)) return inner(schema.allOf[0]);
  if (schema.type === 'string') return toTexts(schema);
  if (schema.type === 'integer' || schema.type === 'number') return toNumbers(schema);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'array') {
    const minLength = Math.min(Number(schema.minItems ?? 0), 3);
    return depth > DEEPEST
      ? fc.constant([])
      : fc.array(inner(schema.items ?? {}), { minLength, maxLength: Math.max(minLength, 3) });
  }
  if (schema.type === 'object') return depth > DEEPEST ? fc.constant({}) : getObjects(schema, inner);
  return anything;
}

function getObjects(schema: JsonSchema, inner: (one: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as object).filter(([name]) => name !== '__proto__');
  const requiredKeys = properties.map(([name]) => name).filter((name) => ((schema.required ?? []) as string[]).includes(name));
  if (properties.length > 0)
    return fc.record(Object.fromEntries(properties.map(([name, one]) => [name, inner(one)])), {
      requiredKeys,
      noNullPrototype: true,
    });
  return fc.dictionary(text, inner(schema.additionalProperties || {}), { maxKeys: 3, noNullPrototype: true });
}

function toTexts({ format, minLength, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'uuid' || format === 'guid') return fc.oneof(fc.uuid(), fc.constantFrom('00000000-0000-0000-0000-000000000000'));
  if (format === 'date-time')
    return fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.constantFrom(
        '2026-01-01T00:00:00.123456Z',
        '0001-01-01T00:00:00Z',
        '9999-12-31T23:59:59.999999Z',
        '2026-01-01T00:00:00+14:00',
      ),
    );
  if (format === 'email') return fc.constantFrom('someone@example.org', `${'a'.repeat(60)}@example.org`);
  if (format === 'uri') return fc.constantFrom('https://example.org/', 'https://127.0.0.1/x');
  const min = Number(minLength ?? 0);
  const max = Math.min(Number(maxLength ?? 50), Math.max(min, 50));
  return fc.oneof(
    fc.string({ unit: 'binary', minLength: min, maxLength: max }),
    fc.string({ minLength: min, maxLength: max }),
    text,
  );
}

function toNumbers({ type, minimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  const [min, max] = [Number(minimum ?? -(2 ** 53)), Number(maximum ?? 2 ** 53)];
  const edges = [min, max, 0, 1, -1, min - 1, max + 1].filter(Number.isFinite);
  const inside = type === 'integer' ? fc.maxSafeInteger() : fc.double({ noNaN: true, noDefaultInfinity: true });
  return fc.oneof(fc.constantFrom(...edges), inside, number);
}
