import { asValue } from 'awilix';
import { ACCESS_MATRIX } from '../access/access-matrix.ts';
import type { MatrixCaller } from '../access/callers.ts';
import type { FixtureServer } from '../access/fixture-object.ts';
import { expectOk } from '../access/plan.ts';
import { planCells } from '../access/plans.ts';
import type { Ids, Row } from '../access/row.ts';
import { getRoute } from '../access/run-matrix.ts';
import { person } from '../http/people.ts';
import { quietProvider } from '../setup/fake-provider.ts';
import { type PostgresService, type PostgresSettings, startPostgresService } from '../setup/postgres-service.ts';
import { type Answered, toProblems } from './checks.ts';
import { type ApiDocument, type Operation, readDocument } from './document.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { Quiescence } from './quiescence.ts';
import { problemsOfReading } from './read-back.ts';
import { type Prepared, prepare } from './requests.ts';
import { changes, watchState } from './state.ts';

/** Hashing a password takes long by design. */
export const quickPasswords = {
  hash: async (password: string) => `quick ${password}`,
  verify: async (password: string, hash: string) => hash === `quick ${password}`,
};
/** Who tries many times over is not slowed down. */
export const loginLimits = { account_free: 1e6, account_spread: 1e6, address_free: 1e6, window_ms: 1000, max_delay_ms: 1 };
const TIME_OUT_MS = 30_000;

/** An operation to shoot at: a row of the access matrix, with an object that its caller may do everything with. */
export interface Target {
  readonly row: Row;
  readonly operation: Operation;
  /** Sends a request and returns its status and what was wrong with the answer. */
  shoot(fuzzRequest: FuzzRequest): Promise<{ status: number; problems: string[] }>;
}

export interface Range {
  readonly document: ApiDocument;
  readonly rows: readonly Row[];
  aim(row: Row): Promise<Target>;
  close(): Promise<void>;
}

/** The service on PostgreSQL, with an administrator who shoots. Settings are for those who break it, to see whether it is noticed. */
export async function openRange(rows = ACCESS_MATRIX, settings: PostgresSettings = {}): Promise<Range> {
  const quiescence = new Quiescence();
  const server = await startPostgresService({
    ...settings,
    aroundJob: quiescence.behind,
    loginLimits,
    modelProviders: [quietProvider],
    overrides: { passwordHasher: asValue(quickPasswords) },
  });
  const document = await readDocument(server);
  const host = await person(server);
  const fixtureServer: FixtureServer = { server, host_id: host.id };
  const callers = [await getCaller(server, 'admin'), await getCaller(server, 'user')];
  const state = await watchState(server.session);
  return {
    document,
    rows,
    aim: async (row) => {
      const { ids, headers } = await fixtureObjectFor(fixtureServer, row, callers);
      const route = getRoute(fixtureServer, row);
      const operation = document.operation(route.path, route.method)!;
      const ask = async (fuzzRequest: FuzzRequest) => {
        const sent = await prepare(row, route, ids, headers, fuzzRequest);
        const answer = await send(server.url, sent);
        const [path = ''] = sent.path.split('?');
        const elsewhere = answer.status === 405 ? undefined : document.operationAt(path, sent.method);
        const met = document.operation(route.path, sent.method) ?? elsewhere;
        return { sent, answer, problems: toProblems(sent, answer, met, document) };
      };
      const read =
        ({ headers: sender }: Prepared) =>
        (path: string) =>
          send(server.url, { method: 'GET', path, headers: sender, bytes: Buffer.alloc(0) });
      const shoot = (fuzzRequest: FuzzRequest) =>
        quiescence.watch(async () => {
          const before = await state();
          const since = Date.now();
          const { sent, answer, problems } = await ask(fuzzRequest);
          const changed = answer.status >= 400 ? changes(before, await state()) : [];
          if (answer.status === 200) {
            const made = { text: answer.text, since };
            problems.push(...(await problemsOfReading(sent, operation, made, document, read(sent))));
          }
          if (changed.length > 0) problems.push(`state_unchanged: refused, and changed ${changed.join(', ')}`);
          if (({} as { polluted?: unknown }).polluted !== undefined) problems.push('the prototype of objects was changed');
          return { status: answer.status, problems };
        });
      return { row, operation, shoot };
    },
    close: () => server.close(),
  };
}

/** Who shoots. */
export async function getCaller(server: PostgresService, role: 'admin' | 'user'): Promise<MatrixCaller> {
  const { id, api_key } = await person(server, { role });
  const headers = { 'service-api-key': api_key };
  return {
    name: role,
    user_id: id,
    is_known: true,
    is_variant: false,
    role,
    key_project: null,
    key_role: null,
    headers: async () => headers,
  };
}

/** The first relation in which the row is allowed. */
export async function fixtureObjectFor(
  fixtureServer: FixtureServer,
  row: Row,
  callers: readonly MatrixCaller[],
): Promise<{ ids: Ids; headers: Record<string, string> }> {
  for (const caller of callers) {
    for (const [, make] of planCells({ fixtureServer, row, route: getRoute(fixtureServer, row), caller })) {
      const { ids, status } = await make();
      if (status === expectOk(row)) return { ids, headers: { ...(await caller.headers(ids.project_id)) } };
    }
  }
  throw new Error(`nobody may do ${row.operation}`);
}

async function send(url: string, { method, path, headers, bytes }: Awaited<ReturnType<typeof prepare>>): Promise<Answered> {
  const began = performance.now();
  const hasBody = method !== 'GET' && bytes.length > 0;
  const signal = AbortSignal.timeout(TIME_OUT_MS);
  const reply = await fetch(url + path, { method, headers, signal, ...(hasBody ? { body: new Uint8Array(bytes) } : {}) });
  return { status: reply.status, headers: reply.headers, text: await reply.text(), ms: performance.now() - began };
}
