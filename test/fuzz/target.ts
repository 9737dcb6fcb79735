import { asValue } from 'awilix';
import { ACCESS_MATRIX } from '../access/access-matrix.ts';
import type { MatrixCaller } from '../access/callers.ts';
import { okOf } from '../access/plan.ts';
import { plansOf } from '../access/plans.ts';
import type { Ids, Row } from '../access/row.ts';
import { routeOf } from '../access/run-matrix.ts';
import type { Town } from '../access/scene.ts';
import { person } from '../http/people.ts';
import { quietProvider } from '../setup/fake-provider.ts';
import { type PostgresService, type PostgresSettings, startPostgresService } from '../setup/postgres-service.ts';
import { type Answered, problemsOf } from './checks.ts';
import { type ApiDocument, type Operation, readDocument } from './document.ts';
import { problemsOfReading } from './read-back.ts';
import { type Prepared, prepare } from './requests.ts';
import type { Shot } from './shot.ts';
import { changes, watchState } from './state.ts';
import { Stillness } from './stillness.ts';

const quickPasswords = {
  hash: async (password: string) => `quick ${password}`,
  verify: async (password: string, hash: string) => hash === `quick ${password}`,
};
const loginLimits = { account_free: 1e6, account_spread: 1e6, address_free: 1e6, window_ms: 1000, max_delay_ms: 1 };
const TIME_OUT_MS = 30_000;

/** An operation to shoot at: a row of the access matrix, with an object that its caller may do everything with. */
export interface Target {
  readonly row: Row;
  readonly operation: Operation;
  /** Sends a shot and answers its status and what was wrong with the answer. */
  shoot(shot: Shot): Promise<{ status: number; problems: string[] }>;
}

export interface Range {
  readonly document: ApiDocument;
  readonly rows: readonly Row[];
  aim(row: Row): Promise<Target>;
  close(): Promise<void>;
}

/** The service on PostgreSQL, with an administrator who shoots. Settings are for those who break it, to see whether it is noticed. */
export async function openRange(rows = ACCESS_MATRIX, settings: PostgresSettings = {}): Promise<Range> {
  const stillness = new Stillness();
  const server = await startPostgresService({
    ...settings,
    behind: stillness.behind,
    loginLimits,
    modelProviders: [quietProvider],
    overrides: { passwordHasher: asValue(quickPasswords) },
  });
  const document = await readDocument(server);
  const host = await person(server);
  const town: Town = { server, host_id: host.id };
  const callers = [await callerOf(server, 'admin'), await callerOf(server, 'user')];
  const state = await watchState(server.session);
  return {
    document,
    rows,
    aim: async (row) => {
      const { ids, headers } = await sceneFor(town, row, callers);
      const route = routeOf(town, row);
      const operation = document.operation(route.path, route.method)!;
      const ask = async (shot: Shot) => {
        const sent = await prepare(row, route, ids, headers, shot);
        const answer = await send(server.url, sent);
        const [path = ''] = sent.path.split('?');
        const elsewhere = answer.status === 405 ? undefined : document.operationAt(path, sent.method);
        const met = document.operation(route.path, sent.method) ?? elsewhere;
        return { sent, answer, problems: problemsOf(sent, answer, met, document) };
      };
      const read =
        ({ headers: sender }: Prepared) =>
        (path: string) =>
          send(server.url, { method: 'GET', path, headers: sender, bytes: Buffer.alloc(0) });
      const shoot = (shot: Shot) =>
        stillness.watch(async () => {
          const before = await state();
          const since = Date.now();
          const { sent, answer, problems } = await ask(shot);
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

async function callerOf(server: PostgresService, role: 'admin' | 'user'): Promise<MatrixCaller> {
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
async function sceneFor(
  town: Town,
  row: Row,
  callers: readonly MatrixCaller[],
): Promise<{ ids: Ids; headers: Record<string, string> }> {
  for (const caller of callers) {
    for (const [, make] of plansOf({ town, row, route: routeOf(town, row), caller })) {
      const { ids, status } = await make();
      if (status === okOf(row)) return { ids, headers: { ...(await caller.headers(ids.project_id)) } };
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
