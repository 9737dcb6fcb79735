import type { Route } from '../../adapters/http/route.ts';
import type { MatrixCaller } from './callers.ts';
import { type Answer, exchange } from './exchange.ts';
import type { FixtureObject, FixtureServer } from './fixture-object.ts';
import type { Fixture } from './open-fixture.ts';
import type { Cell } from './plan.ts';
import { planCells } from './plans.ts';
import { type Ids, type Row, toRowName } from './row.ts';

export interface Outcome {
  readonly callers: ReadonlySet<string>;
  readonly relations: ReadonlySet<string>;
  readonly cells: number;
  /** `operation | caller | relation: what was expected, what came`. */
  readonly failures: readonly string[];
}

interface Asked {
  readonly fixtureServer: FixtureServer;
  readonly row: Row;
  readonly route: Route;
}

/** Sends every cell of the rows and returns what was not as it has to be. */
export async function runMatrix(fixtureServer: Fixture, rows: readonly Row[]): Promise<Outcome> {
  const { callers } = fixtureServer;
  const refused = callers.filter(({ is_known }) => !is_known);
  const known = callers.filter(({ is_known }) => is_known);
  // Callers do not meet: each has fixture objects of their own. Who is refused changes nothing, so these share theirs.
  const together = [refused, ...known.map((caller) => [caller])];
  const relations: string[] = [];
  const failures: string[] = [];
  for (const row of rows) {
    const asked = { fixtureServer, row, route: getRoute(fixtureServer, row) };
    const run = async (alike: readonly MatrixCaller[]): Promise<string[]> => {
      const found: string[] = [];
      for (const [relation, make] of planCells({ ...asked, caller: alike[0]! })) {
        relations.push(...alike.map(() => relation));
        found.push(...(await judge(asked, alike, await make())));
      }
      return found;
    };
    failures.push(...(await Promise.all(together.map(run))).flat());
  }
  const names = callers.map(({ name }) => name);
  return { callers: new Set(names), relations: new Set(relations), cells: relations.length, failures };
}

export function getRoute({ server }: FixtureServer, { operation }: Row): Route {
  const route = server.cradle.routes.find(({ operationId }) => operationId === operation);
  if (!route) throw new Error(`there is no operation ${operation}`);
  return route;
}

async function judge(asked: Asked, callers: readonly MatrixCaller[], cell: Cell): Promise<string[]> {
  const look = () => (asked.route.method === 'get' ? NOTHING : pictures(cell));
  const left = await look();
  const found = await Promise.all(
    callers.map(async (caller) => {
      const problems = await toProblems(asked, caller, cell);
      return problems.map((problem) => `${toRowName(asked.row)} | ${caller.name} | ${cell.relation}: ${problem}`);
    }),
  );
  const now = await look();
  const where = `${toRowName(asked.row)} | ${callers.map(({ name }) => name).join(', ')} | ${cell.relation}`;
  const isChanged = cell.status >= 400 && left.object !== now.object;
  const isElsewhere = left.outsiderProject !== now.outsiderProject;
  return [
    ...found.flat(),
    ...(isChanged ? [`${where}: refused, and changed the object`] : []),
    ...(isElsewhere ? [`${where}: changed what belongs to another`] : []),
  ];
}

async function toProblems({ fixtureServer, row, route }: Asked, caller: MatrixCaller, cell: Cell): Promise<string[]> {
  const { ids, status, unknown, has_bad_body } = cell;
  const headers = await caller.headers(ids.project_id);
  const ask = (named: Ids) => exchange(fixtureServer.server.url, { row, route }, headers, named, has_bad_body);
  const answer = await ask(ids);
  if (answer.status !== status) return [`expected ${status}, got ${answer.status}`];
  const problems = toWords(row, cell, answer);
  if (!unknown) return problems;
  const like = await ask(unknown);
  if (without(answer, ids, unknown) === without(like, unknown, ids)) return problems;
  return [...problems, `not answered as what does not exist: ${answer.text} and ${like.text}`];
}

/** Problem with the text of a reply that has the right status. */
function toWords(row: Row, cell: Cell, answer: Answer): string[] {
  const problems: string[] = [];
  if (row.code !== undefined && cell.status === row.ok && JSON.parse(answer.text).code !== row.code)
    problems.push(`expected code ${row.code}, got ${answer.text}`);
  if (holds(answer, cell.outsiderProject) || (cell.status >= 400 && holds(answer, cell.object)))
    problems.push('the reply tells of what is not visible');
  if (row.shows && cell.is_shown !== undefined && row.shows(JSON.parse(answer.text), cell.ids) !== cell.is_shown)
    problems.push(`expected the list ${cell.is_shown ? '' : 'not '}to show it`);
  return problems;
}

interface Pictures {
  readonly object?: string | undefined;
  readonly outsiderProject?: string | undefined;
}
const NOTHING: Pictures = {};

/** Of the object only where the request has to be refused: what is allowed may change it. */
async function pictures({ status, object, outsiderProject }: Cell): Promise<Pictures> {
  return {
    object: status >= 400 ? await object?.picture() : undefined,
    outsiderProject: await outsiderProject?.picture(),
  };
}

const holds = ({ text }: Answer, fixtureObject: FixtureObject | undefined): boolean =>
  fixtureObject !== undefined && fixtureObject.secret !== '' && text.includes(fixtureObject.secret);

/** The whole answer, with the names of ids where two requests name different ones. */
function without({ status, text, headers }: Answer, ids: Ids, others: Ids): string {
  const differing = (Object.keys(ids) as (keyof Ids)[]).filter((name) => ids[name] !== others[name]);
  const bare = differing.reduce((rest, name) => rest.replaceAll(ids[name], `<${name}>`), text);
  return `${status}\n${headers}\n${bare}`;
}
