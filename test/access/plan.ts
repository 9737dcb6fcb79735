import type { Route } from '../../adapters/http/route.ts';
import type { MatrixCaller } from './callers.ts';
import { type FixtureObject, type FixtureServer, unknownIds } from './fixture-object.ts';
import { ID_NAMES, type IdName, type Ids, type Row } from './row.ts';

/** One request and what has to come of it. */
export interface Cell {
  readonly relation: string;
  readonly ids: Ids;
  readonly status: number;
  /** The body does not fit its schema. */
  readonly has_bad_body?: boolean;
  /** The same request about what does not exist: the reply has to be the same but for the ids. */
  readonly unknown?: Ids;
  /** Objects that are only there to be left alone, by a refusal too. */
  readonly outsiderProject?: FixtureObject;
  readonly object?: FixtureObject;
  /** For lists: whether the object is among them. */
  readonly is_shown?: boolean;
}

export interface Asked<R extends Row = Row> {
  readonly fixtureServer: FixtureServer;
  readonly row: R;
  readonly route: Route;
  readonly caller: MatrixCaller;
}

/** Makes what a cell needs when its turn comes. */
export type Plan = readonly [relation: string, make: () => Promise<Cell>];

export const expectOk = (row: Row): number => row.ok ?? 200;

/** The ids that an operation takes beside the one of the caller, in the order of `ID_NAMES`. */
export function idsTaken(row: Row, route: Route): readonly IdName[] {
  const taken = new Set<string>([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => row.path?.[name!] ?? name!));
  const watched = new Proxy(unknownIds('x'), {
    get: (ids, name) => {
      taken.add(String(name));
      return ids[name as IdName];
    },
  });
  row.query?.(watched);
  row.body?.(watched);
  row.form?.(watched);
  return ID_NAMES.filter((name) => taken.has(name) && name !== 'caller_id');
}

/** The id of what a row is about. */
export const ownId = ({ on, known_by }: Row): IdName | undefined => known_by ?? ID_NAMES.find((name) => name === `${on}_id`);
