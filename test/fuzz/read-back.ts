import { isDeepStrictEqual } from 'node:util';
import type { ApiDocument, Operation } from './document.ts';
import type { Prepared } from './requests.ts';

type Fields = Readonly<Record<string, unknown>>;
type Read = (path: string) => Promise<{ readonly status: number; readonly text: string }>;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/**
 * Problems of an object that a request made, when it is read by its own path: it has to be there at once, and to say
 * what was sent and what was answered, in the fields that it shares with them. What was there before, as a project of
 * that name, is answered as it is. Nothing where the operation makes nothing of the kind.
 */
export async function problemsOfReading(
  sent: Prepared,
  operation: Operation,
  { text, since }: { readonly text: string; readonly since: number },
  document: ApiDocument,
  read: Read,
): Promise<string[]> {
  const [path = '', query = ''] = sent.path.split('?');
  const below = sent.method === 'POST' ? document.parameterBelow(path) : undefined;
  const answered = below === undefined ? undefined : toFields(text);
  const id = answered?.[below === 'version' ? 'version' : 'id'];
  if (!answered || id === undefined) return [];
  const where = `${path}/${id}`;
  const { status, text: found } = await read(query ? `${where}?${query}` : where);
  const there = toFields(found);
  if (status !== 200 || !there) return [`ensure_resource_availability: ${where} answers ${status}`];
  const isNew = !(Date.parse(String(answered.created_at)) < since);
  const body = asObject(document.knownBody(operation, sent.json)) ?? {};
  const asked = isNew ? Object.entries(body).map(([name, value]) => [name, toComparable(value)] as const) : [];
  const numbered = NUMBERS_NAMES.has(operation.operationId) ? there.name : undefined;
  const kept = asked.filter(([name, value]) => name !== 'name' || !isNumbered(value, numbered));
  return [...different('sent', kept, there, holds), ...different('answered', Object.entries(answered), there, same)];
}

/** Put a number behind a name that is taken. */
const NUMBERS_NAMES = new Set(['createExperiment']);

const isNumbered = (told: unknown, there: unknown): boolean =>
  typeof there === 'string' && /^ \(\d+\)$/.test(there.slice(String(told).length)) && there.startsWith(String(told));

/** Sent value of a field; undefined where it is left to the service, as a name that may get a number. */
function toComparable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('value' in value)) return value;
  return 'append_suffix_if_duplicate' in value && value.append_suffix_if_duplicate ? undefined : value.value;
}

function different(
  what: string,
  told: readonly (readonly [string, unknown])[],
  there: Fields,
  agrees: (told: unknown, there: unknown) => boolean,
): string[] {
  const isNone = (name: string, value: unknown): boolean => value === '' && EMPTY_IS_NONE.has(name) && there[name] === null;
  return told
    .filter(([name, value]) => value !== null && value !== undefined && Object.hasOwn(there, name) && !agrees(value, there[name]))
    .filter(([name, value]) => !isNone(name, value))
    .map(
      ([name, value]) => `value_fidelity: ${name} was ${what} as ${JSON.stringify(value)} and is ${JSON.stringify(there[name])}`,
    );
}

/** Where an empty text says that there is none. */
const EMPTY_IS_NONE = new Set(['external_id']);

/** Ids are kept in lower case, times in one zone; absent and null are one, and of zeros there is one. */
function same(told: unknown, there: unknown): boolean {
  return isDeepStrictEqual(plain(told), plain(there));
}

/** As `same`, of what was sent: objects may have got members that were left to the service, as defaults. */
const holds = (sent: unknown, there: unknown): boolean => isWithin(plain(sent), plain(there));

function isWithin(sent: unknown, there: unknown): boolean {
  if (Array.isArray(sent) && Array.isArray(there))
    return sent.length === there.length && sent.every((item, at) => isWithin(item, there[at]));
  const [wanted, found] = [asObject(sent), asObject(there)];
  if (!wanted || !found) return isDeepStrictEqual(sent, there);
  return Object.entries(wanted).every(([name, value]) => isWithin(value, found[name]));
}

const asObject = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== null)
        .map(([key, item]) => [key, plain(item)]),
    );
  if (typeof value === 'string' && UUID.test(value)) return value.toLowerCase();
  if (typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value))) return Date.parse(value);
  return value === 0 ? 0 : value;
}

function toFields(text: string): Fields | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}
