import { asValue } from 'awilix';
import { jsonBoundsOf, maxBodyBytesOf } from '../../adapters/http/mount.ts';
import type { JsonBounds } from '../../core/kernel/json-scan.ts';
import { MAX_LIMIT } from '../../core/kernel/query/page.ts';
import { ACCESS_MATRIX } from '../access/access-matrix.ts';
import type { MatrixCaller } from '../access/callers.ts';
import type { FixtureServer } from '../access/fixture-object.ts';
import { type Ids, type Row, toRowName } from '../access/row.ts';
import { getRoute } from '../access/run-matrix.ts';
import { type ApiDocument, readDocument } from '../fuzz/document.ts';
import { prepare } from '../fuzz/requests.ts';
import { fixtureObjectFor, getCaller, loginLimits, quickPasswords } from '../fuzz/target.ts';
import { person } from '../http/people.ts';
import { quietProvider } from '../setup/fake-provider.ts';
import { type PostgresService, type PostgresSettings, startPostgresService } from '../setup/postgres-service.ts';
import { extremesOf } from './extremes.ts';
import { type Measured, Meter, type Sent } from './meter.ts';

/** As an operator has it who sets nothing. */
const MAX_BODY_BYTES = 25 * 2 ** 20;
/** Room for the rest of a body. */
const ENVELOPE_BYTES = 64 * 1024;

const SHARING: ReadonlySet<Row['on']> = new Set(['project', 'dataset', 'template', 'integration', 'scorer']);
const ENDS_OBJECTS = /^(delete|remove|leave|transfer|bulkDelete)/;

/** One request, and what it is extreme in. */
export interface Attempt {
  readonly operation: string;
  readonly input: string;
  /** Log streams that it is about, where there is a bound of them. */
  readonly destinations?: number;
  prepare(): Promise<Sent>;
}

/** A request beside the routes of the document. */
export interface Posted {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Result extends Measured {
  readonly operation: string;
  readonly input: string;
  readonly destinations?: number;
}

/** The service on PostgreSQL, an administrator who asks for everything, and a meter. */
export class Stand {
  readonly server: PostgresService;
  readonly fixtureServer: FixtureServer;
  readonly document: ApiDocument;
  readonly #callers: readonly MatrixCaller[];
  readonly #meter = new Meter();
  readonly #shared = new Map<string, ReturnType<typeof fixtureObjectFor>>();

  private constructor(
    server: PostgresService,
    fixtureServer: FixtureServer,
    document: ApiDocument,
    callers: readonly MatrixCaller[],
  ) {
    this.server = server;
    this.fixtureServer = fixtureServer;
    this.document = document;
    this.#callers = callers;
  }

  /** Nothing is done behind the requests: it would count as theirs. */
  static async open(settings: PostgresSettings = {}): Promise<Stand> {
    const server = await startPostgresService({
      ...settings,
      // As in production: large replies are not checked.
      checkBulkReplies: false,
      aroundJob: () => new Promise(() => {}),
      loginLimits,
      modelProviders: [quietProvider],
      overrides: { passwordHasher: asValue(quickPasswords) },
    });
    const host = await person(server);
    const callers = [await getCaller(server, 'admin'), await getCaller(server, 'user')];
    return new Stand(server, { server, host_id: host.id }, await readDocument(server), callers);
  }

  /** Bodies at their bounds for the operation of a row. Where fixture objects are shared they are made once for many rows. */
  async extremes(row: Row, bytes: number, shares = false): Promise<Attempt[]> {
    const route = getRoute(this.fixtureServer, row);
    const operation = this.document.operation(route.path, route.method)!;
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    if (!schema) return [];
    const { ids, headers } = await (shares ? this.#sharedObject(row) : this.#ownObject(row));
    const base = row.body?.(ids) ?? {};
    const bound = maxBodyBytesOf(route, { maxBodyBytes: MAX_BODY_BYTES });
    const size = Math.min(bytes, bound - Math.min(ENVELOPE_BYTES, bound / 2));
    return extremesOf(schema, base, this.document, { bytes: size, bounds: jsonBoundsOf(route) }).map(({ name, make }) => ({
      operation: toRowName(row),
      input: name,
      prepare: async () => {
        const { method, path } = await prepare(row, route, ids, headers, { kind: 'as_is' });
        return this.#sent(method, path, { ...headers, 'content-type': 'application/json' }, Buffer.from(make()));
      },
    }));
  }

  /** A body of one's own for the operation of a row. */
  async withBody(row: Row, input: string, make: (base: object) => string): Promise<Attempt> {
    const route = getRoute(this.fixtureServer, row);
    const { ids, headers } = await this.#ownObject(row);
    return {
      operation: toRowName(row),
      input,
      prepare: async () => {
        const { method, path } = await prepare(row, route, ids, headers, { kind: 'as_is' });
        const text = make((row.body?.(ids) ?? {}) as object);
        return this.#sent(method, path, { ...headers, 'content-type': 'application/json' }, Buffer.from(text));
      },
    };
  }

  /** Operations posted beside the routes of the document, by an administrator: the last of the requests is measured. */
  posting(operation: string, input: string, make: () => readonly [...Posted[], Posted]): Attempt {
    const toSent = async ({ path, headers, bytes }: Posted): Promise<Sent> => {
      const own = await this.#callers[0]!.headers('');
      return this.#sent('POST', path, { ...own, ...headers }, Buffer.from(bytes.buffer));
    };
    return {
      operation,
      input,
      prepare: async () => {
        const requests = [...make()];
        const last = requests.pop()!;
        for (const before of requests) await this.#meter.send(await toSent(before));
        return toSent(last);
      },
    };
  }

  /** The request of a row as it is, about these things and for as much of them as there may be. */
  async asIs(row: Row, ids: Ids, input: string): Promise<Attempt> {
    const route = getRoute(this.fixtureServer, row);
    const headers = await this.#callers[0]!.headers(ids.project_id);
    const wanting = { ...row, ...this.#mostOf(row) } as Row;
    return {
      operation: toRowName(row),
      input,
      prepare: async () => {
        const { method, path, headers: all, bytes } = await prepare(wanting, route, ids, headers, { kind: 'as_is' });
        return this.#sent(method, path, all, bytes);
      },
    };
  }

  /** Who asks for what is stored. */
  get reader_id(): string {
    return this.#callers[0]!.user_id;
  }

  boundsOf(row: Row): JsonBounds {
    return jsonBoundsOf(getRoute(this.fixtureServer, row));
  }

  toPath(row: Row): string {
    return getRoute(this.fixtureServer, row).path;
  }

  async measure({ operation, input, destinations, prepare: make }: Attempt): Promise<Result> {
    return {
      operation,
      input,
      ...(destinations !== undefined && { destinations }),
      ...(await this.#meter.measure(await make())),
    };
  }

  async close(): Promise<void> {
    await this.#meter.close();
    await this.server.close();
  }

  #ownObject(row: Row): ReturnType<typeof fixtureObjectFor> {
    return fixtureObjectFor(this.fixtureServer, row, this.#callers);
  }

  /** To make an object costs far more than to send a small body: operations that leave it as it is have one together. */
  #sharedObject(row: Row): ReturnType<typeof fixtureObjectFor> {
    if (!('needs' in row) || !SHARING.has(row.on) || ENDS_OBJECTS.test(row.operation)) return this.#ownObject(row);
    const key = `${row.on} ${row.needs} ${row.ok}`;
    const object = this.#shared.get(key) ?? this.#ownObject(row);
    this.#shared.set(key, object);
    return object;
  }

  /** The largest page. */
  #mostOf(row: Row): Pick<Row, 'body' | 'query'> {
    const route = getRoute(this.fixtureServer, row);
    const operation = this.document.operation(route.path, route.method)!;
    const parameter = (operation.parameters ?? []).find(({ name, in: where }) => where === 'query' && name === 'limit');
    const field = this.document.bodyField(operation, 'limit');
    const query = (ids: Ids) => ({ ...row.query?.(ids), ...(parameter && { limit: String(toMost(parameter.schema)) }) });
    const body = (ids: Ids) =>
      row.body ? { ...(row.body(ids) as object), ...(field && { limit: toMost(field), previous_last_row_id: null }) } : undefined;
    return { query, ...(row.body ? { body } : {}) };
  }

  #sent(method: string, path: string, headers: Readonly<Record<string, string>>, bytes: Buffer): Sent {
    const own = new Uint8Array(bytes.length);
    own.set(bytes);
    return { method, url: this.server.url + path, headers, bytes: own };
  }
}

interface LimitSchema {
  readonly maximum?: number;
  readonly anyOf?: readonly LimitSchema[];
}
const toMost = ({ maximum, anyOf = [] }: LimitSchema): number =>
  maximum ?? anyOf.find((one) => one.maximum !== undefined)?.maximum ?? MAX_LIMIT;

const READ_ABOUT: ReadonlySet<Row['on']> = new Set([
  ...(['project', 'dataset', 'scorer', 'template', 'group', 'everyone', 'organization'] as const),
]);
export const READING: readonly Row[] = ACCESS_MATRIX.filter(
  ({ operation, on, ok = 200 }) =>
    READ_ABOUT.has(on) &&
    ok === 200 &&
    /^(list|search|count|get|query|aggregate|export|diff|preview|download|compare|read|show|render)/.test(operation),
);
