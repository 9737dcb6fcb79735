import type { ApiDocument, JsonSchema, Operation } from './document.ts';
import type { Prepared } from './requests.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly ms: number;
}

/** Slower than this is no matter of a busy machine any more. */
const TOO_LONG_MS = 15_000;
/** Internal details: places in the code, statements, tables, messages of libraries. */
const INSIDE =
  /\bat \S+ \(|\.ts:\d+|node_modules|\/(?:home|root|tmp|usr)\/|\b(?:select|insert into|update|delete from) \S+ .*\b(?:where|values|from)\b|pgboss|ECONN|violates|22P0|invalid input syntax|TypeError|RangeError|SyntaxError/i;
const REFUSES_SCHEMA = new Set([200, 201, 204]);

/** From the parser of the protocol, before there is an operation: the line of the request is too long. */
const LINE_TOO_LONG = 431;

/** Problems of a response; by the names of Schemathesis, so that figures compare. Without an operation it has to be 405. */
export function toProblems(sent: Prepared, answer: Answered, operation: Operation | undefined, document: ApiDocument): string[] {
  const { status, headers, text, ms } = answer;
  if (status === LINE_TOO_LONG && sent.path.length > 8_000) return [];
  const expected = operation ?? { operationId: '', responses: { 405: {}, 401: {}, 404: {} } };
  return [
    ...(status >= 500 && status !== 503 ? [`not_a_server_error: ${status} ${text.slice(0, 300)}`] : []),
    ...(String(status) in expected.responses ? [] : [`status_code_conformance: ${status} ${text.slice(0, 200)}`]),
    ...headerProblems(status, headers),
    ...bodyProblems(answer, expected, document),
    ...(isAcceptedWrongly(sent, status, expected, document)
      ? ['negative_data_rejection: a body that breaks its schema was taken']
      : []),
    ...(status >= 400 && INSIDE.test(withoutInput(text)) ? [`no_leak: ${INSIDE.exec(withoutInput(text))?.[0]}`] : []),
    ...(ms > TOO_LONG_MS ? [`max_response_time: ${Math.round(ms)} ms`] : []),
  ];
}

function headerProblems(status: number, headers: Headers): string[] {
  const wrong = (name: string, pattern: RegExp): string[] =>
    pattern.test(headers.get(name) ?? '') ? [] : [`response_headers_conformance: ${status} with ${name} ${headers.get(name)}`];
  if (status === 401) return wrong('www-authenticate', /Bearer/);
  if (status === 405) return wrong('allow', /^[A-Z]+(, [A-Z]+)*$/);
  if (status === 429 || status === 503) return wrong('retry-after', /^[1-9]\d*$/);
  return [];
}

function bodyProblems({ status, headers, text }: Answered, operation: Operation, document: ApiDocument): string[] {
  if (status === 204) return text === '' ? [] : ['response_schema_conformance: 204 with a body'];
  const content = operation.responses[status]?.content ?? {};
  const type = (headers.get('content-type') ?? '').split(';')[0]!;
  const isJson = /[/+]json$/.test(type);
  if (status < 400 && !(type in content)) return [`content_type_conformance: ${status} as ${type}`];
  if (status < 400 && !isJson) return [];
  if (!isJson) return [`content_type_conformance: ${status} as ${type}`];
  const schema = content['application/json']?.schema ?? formOfErrors(status);
  const validate = document.validator(schema);
  return validate(JSON.parse(text)) ? [] : [`response_schema_conformance: ${status} ${JSON.stringify(validate.errors?.[0])}`];
}

const ERROR: JsonSchema = { $ref: '#/components/schemas/HTTPError' };
const INVALID: JsonSchema = { $ref: '#/components/schemas/HTTPValidationError' };
const formOfErrors = (status: number): JsonSchema => (status === 422 ? INVALID : ERROR);

function isAcceptedWrongly({ json, method }: Prepared, status: number, operation: Operation, document: ApiDocument): boolean {
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  if (schema === undefined || method === 'GET' || !REFUSES_SCHEMA.has(status)) return false;
  // Where a body may be left out, null says the same.
  const isNone = json === undefined || (json === null && operation.requestBody?.required === false);
  return !isNone && !document.validator(schema)(json);
}

/** Removes the echo of the caller's value in `input`, which may hold anything. */
const withoutInput = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), (key, value) =>
      key === 'input' || key === 'msg' || key === 'loc' ? undefined : value,
    );
  } catch {
    return text;
  }
};
