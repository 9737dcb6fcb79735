import type { JsonValue } from '../../kernel/json.ts';
import { payloadText } from '../../traces/columns/column.ts';
import { NEWEST_FIRST } from '../../traces/record-query.ts';
import type { Session } from '../../traces/sessions/session.ts';
import { filteredAs } from '../../traces/sessions/session-column.ts';
import type { SessionSelection, SessionStore } from '../../traces/sessions/session-store.ts';
import type { TraceStore } from '../../traces/trace-store.ts';
import type { RecordColumns } from '../edit.ts';
import { SOURCE_RECORD, toRecordRow } from '../record-rows.ts';
import type { RowValues } from '../row.ts';

export interface SessionRowsDeps {
  readonly sessionStore: SessionStore;
  readonly traceStore: TraceStore;
}

/** Column of what was said in a session: JSON text, a list of turns with `input` and `output`, one for each trace, the first one first. */
const CONVERSATION = 'conversation';

/** A session comes with its first input and its last output, either of which may be of megabytes. */
const SESSIONS_AT_ONCE = 20;
/** Of one conversation. What goes beyond either is counted as `left_out` behind the turns. */
const MAX_TURNS = 500;
const MAX_BYTES = 1024 * 1024;
const OLDEST_FIRST = { column_id: 'created_at', ascending: true } as const;
const TURN_FIELDS = new Set(['input', 'output'] as const);

/** Reads sessions as rows of a dataset. */
export class SessionRows {
  readonly #deps: SessionRowsDeps;

  constructor(deps: SessionRowsDeps) {
    this.#deps = deps;
  }

  /** Ids, newest session first, some at a time. Ends early when the session that a page ends with is deleted meanwhile: a repeat finds the rest. */
  async *ids(selection: SessionSelection): AsyncIterable<readonly string[]> {
    let after: string | undefined;
    do {
      const order = { sort: NEWEST_FIRST, starting_token: 0, limit: SESSIONS_AT_ONCE, after };
      const listed = await this.#deps.sessionStore.list({ ...selection, ...order });
      const ids = listed.slice(0, SESSIONS_AT_ONCE).map(({ id }) => id);
      if (ids.length > 0) yield ids;
      after = listed.length > SESSIONS_AT_ONCE ? ids.at(-1) : undefined;
    } while (after !== undefined);
  }

  /** The row of a session, with its conversation and a link to it; undefined where the run has no such session any more. */
  async row(project_id: string, run_id: string, id: string, columns: RecordColumns | null): Promise<RowValues | undefined> {
    const session = await this.#deps.sessionStore.find(project_id, id, run_id);
    if (!session) return undefined;
    const shape = { columns, link_to_record: false, use_generated_output_column: false };
    return {
      [CONVERSATION]: JSON.stringify(await this.#turns(session)),
      ...toRecordRow(filteredAs(session), shape),
      [SOURCE_RECORD]: { project_id, run_id, record_id: id, type: 'session' },
    };
  }

  async #turns(session: Session): Promise<JsonValue[]> {
    const { project_id, run_id, num_traces } = session;
    const listed = await this.#deps.sessionStore.listTraces(session, { starting_token: 0, limit: MAX_TURNS });
    const value = listed.slice(0, MAX_TURNS).map(({ trace_id }) => trace_id);
    if (value.length === 0) return [];
    const where = { filter: { type: 'id', column_id: 'id', operator: 'one_of', value } } as const;
    const listing = {
      project_id,
      run_id,
      level: 'trace',
      where,
      sort: OLDEST_FIRST,
      starting_token: 0,
      after: undefined,
    } as const;
    const { records } = await this.#deps.traceStore.listWithin(
      { ...listing, limit: value.length, fields: TURN_FIELDS },
      MAX_BYTES,
    );
    const turns = records.map(({ input, output }) => ({ input: payloadText(input), output: payloadText(output) }));
    const left_out = Math.max(0, num_traces - turns.length);
    return left_out > 0 ? [...turns, { left_out }] : turns;
  }
}
