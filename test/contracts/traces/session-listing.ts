import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { StoredSession } from '../../../core/traces/sessions/session.ts';
import { type Fixture, newRun, span, trace, write } from './record-stores.ts';
import { at, type Search, session, toListing } from './sessions.ts';

/** Finding and ordering the sessions of a run with several. */
export function sessionListing(fixture: Fixture): void {
  const ids = async (body: Search) => {
    const { stores, run } = fixture();
    return (await stores.sessionStore.list(toListing(run, body))).map(({ id }) => id);
  };
  const getId = (digit: number): string => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;
  const [A, B, C, D, E] = [1, 2, 3, 4, 5].map(getId) as [string, string, string, string, string];

  /** A trace with one call of a model. */
  const calling = (parent: LogRecord, metrics: LogRecord['metrics']) => [parent, span(parent, { type: 'llm', metrics })];

  beforeEach(async () => {
    const { stores, run } = fixture();
    const keep = (facts: Partial<StoredSession>) => stores.sessionStore.findOrInsert(session(run, facts), true);
    await keep({ id: A, name: 'ann', external_id: 'e1', created_at: at(1), user_metadata: { plan: 'Gold', seats: 2 } });
    await keep({ id: C, name: 'Cid', created_at: at(3), user_metadata: { plan: 'silver' } });
    await write(stores, [
      trace(run, {
        id: B,
        name: 'bob',
        external_id: 'e2',
        created_at: at(2),
        input: 'alone',
        output: 'x',
        user_metadata: { plan: 'gold' },
      }),
      ...calling(
        trace(run, { session_id: D, created_at: at(4), input: 'hello "D"', output: 'bye', metrics: { duration_ns: 4 } }),
        { num_total_tokens: 10, cost: 0.5 },
      ),
      trace(run, {
        session_id: D,
        created_at: at(5),
        output: 'bye',
        metrics: { duration_ns: 3, num_total_tokens: 5, cost: 0.25 },
      }),
      trace(run, { session_id: A, created_at: at(9), input: 'hello A', metrics: { duration_ns: 9 } }),
      ...calling(trace(run, { id: E, created_at: at(4), metrics: { duration_ns: 2 } }), { cost: 0.25 }),
    ]);
    const other = await newRun(stores, run.project_id);
    await stores.sessionStore.findOrInsert(session(other, { name: 'ann', external_id: 'e1' }), true);
    await write(stores, [trace(other)]);
  });

  it('lists the newest first, ties by id, from both places', async () => {
    expect(await ids({})).toEqual([E, D, C, B, A]);
  });

  it.each<[object, string[]]>([
    [{ column_id: 'created_at', ascending: true }, [A, B, C, D, E]],
    [{ column_id: 'name' }, [D, E, C, A, B]],
    [{ column_id: 'name', ascending: false }, [B, A, C, E, D]],
    [{ column_id: 'external_id' }, [A, B, C, D, E]],
    [{ column_id: 'external_id', ascending: false }, [E, D, C, B, A]],
    [{ column_id: 'input' }, [C, E, B, D, A]],
    [{ column_id: 'output' }, [D, B, A, C, E]],
    [{ column_id: 'id', ascending: false }, [E, D, C, B, A]],
    [{ column_id: 'user_metadata/plan' }, [A, B, C, D, E]],
    [{ column_id: 'num_traces' }, [C, A, B, E, D]],
    [{ column_id: 'num_traces', ascending: false }, [D, E, B, A, C]],
    [{ column_id: 'metrics/duration_ns' }, [E, D, A, B, C]],
    [{ column_id: 'metrics/cost', ascending: false }, [C, B, A, D, E]],
  ])('sorts by %j, page by page', async (sort, expected) => {
    expect(await ids({ sort })).toEqual(expected);
    for (const [index, id] of expected.entries()) {
      expect(await ids({ sort, starting_token: index, limit: 1 })).toEqual(expected.slice(index, index + 2));
      expect(await ids({ sort, previous_last_row_id: id, limit: 2 })).toEqual(expected.slice(index + 1, index + 4));
    }
  });

  it('tells the sessions that traces are by themselves, until one is kept under their id', async () => {
    const { stores, run } = fixture();
    const told = async () =>
      Object.fromEntries((await stores.sessionStore.list(toListing(run, {}))).map(({ id, is_implicit }) => [id, is_implicit]));
    expect(await told()).toEqual({ [A]: false, [B]: true, [C]: false, [D]: false, [E]: true });
    expect(await stores.sessionStore.find(run.project_id, B)).toMatchObject({ is_implicit: true });
    await write(stores, [trace(run, { session_id: B, created_at: at(8) })]);
    expect(await told()).toMatchObject({ [B]: false, [E]: true });
    expect(await stores.sessionStore.find(run.project_id, B)).toMatchObject({ is_implicit: false });
  });

  it('has nothing behind a session that is not there', async () => {
    expect(await ids({ previous_last_row_id: randomUUID() })).toEqual([]);
  });

  const text = (column_id: string, operator: string, value: unknown, case_sensitive?: boolean) => ({
    type: 'text',
    column_id,
    operator,
    value,
    case_sensitive,
  });
  const number = (column_id: string, operator: string, value: unknown) => ({ type: 'number', column_id, operator, value });
  const implicit = (operator: string, value: boolean) => ({ type: 'boolean', column_id: 'is_implicit', operator, value });
  it.each<[object, string[]]>([
    [text('external_id', 'eq', 'e1'), [A]],
    [text('external_id', 'eq', 'e2'), []],
    [text('external_id', 'one_of', ['e2', 'e1']), [A]],
    [text('external_id', 'ne', 'e1'), [E, D, C, B]],
    [text('external_id', 'eq', 'E1', false), [A]],
    [text('name', 'contains', 'b'), [B]],
    [text('name', 'eq', ''), [E, D]],
    [text('input', 'contains', 'hello'), [D, A]],
    [text('input', 'contains', '"D"'), [D]],
    [text('input', 'eq', ''), [E, C]],
    [text('output', 'ne', 'bye'), [E, C, B, A]],
    [text('output', 'contains', ''), [D, B]],
    [text('id', 'contains', '2222'), [B]],
    [{ type: 'id', column_id: 'id', operator: 'one_of', value: [A, E, randomUUID()] }, [E, A]],
    [{ type: 'date', column_id: 'created_at', operator: 'lte', value: at(2) }, [B, A]],
    [text('user_metadata/plan', 'eq', 'gold', false), [B, A]],
    [text('user_metadata/seats', 'eq', '2'), [A]],
    [text('user_metadata/none', 'ne', 'x'), [E, D, C, B, A]],
    [number('num_traces', 'gte', 2), [D]],
    [number('num_traces', 'eq', 1), [E, B, A]],
    [number('num_traces', 'between', [0, 1]), [E, C, B, A]],
    [number('metrics/duration_ns', 'gt', 2), [D, A]],
    [number('metrics/cost', 'lte', 0.75), [E, D]],
    [number('metrics/cost', 'gt', 0.25), [D]],
    [number('metrics/num_total_tokens', 'eq', 15), [D]],
    [number('metrics/num_total_tokens', 'ne', 15), [E, C, B, A]],
    [implicit('eq', true), [E, B]],
    [implicit('eq', false), [D, C, A]],
    [implicit('ne', true), [D, C, A]],
  ])('filters by %j', async (filter, expected) => {
    const { stores, run } = fixture();
    expect(await ids({ filters: [filter] })).toEqual(expected);
    expect(await stores.sessionStore.count(toListing(run, { filters: [filter] }))).toBe(expected.length);
    expect(await ids({ filter_tree: { not: { filter } } })).toEqual([E, D, C, B, A].filter((id) => !expected.includes(id)));
  });
}
