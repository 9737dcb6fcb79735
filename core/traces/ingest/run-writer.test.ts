import { describe, expect, it } from 'vitest';
import type { RunContext } from '../../projects/run-context.ts';
import type { RecordBatch, TraceStore, WriteOutcome } from '../trace-store.ts';
import { RunWriter } from './run-writer.ts';

const run: RunContext = {
  project_id: 'p',
  project_name: 'project',
  run_id: 'r',
  kind: 'log_stream',
  settings_revision: 1,
  has_scorers: true,
};

/** A store that has one outcome after another, and a directory whose run changes whenever it is asked for afresh. */
function fakes(outcomes: readonly WriteOutcome[], has_scorers = true) {
  const batches: RecordBatch[] = [];
  let settings_revision = 1;
  const write = async (batch: RecordBatch) => outcomes[batches.push(batch) - 1] ?? 'run_changed';
  const traceStore = { write } as unknown as TraceStore;
  const findRun = async (_: string, run_id: string, fresh?: boolean) => {
    if (fresh) settings_revision += 1;
    return run_id === 'r' ? { ...run, settings_revision, has_scorers } : undefined;
  };
  return { writer: new RunWriter({ traceStore, runDirectory: { findRun } }), batches };
}

const plan = () => ({ records: [], score_trace_ids: ['t'] });

describe('writing to a run', () => {
  it('plans again for the settings of now when they changed meanwhile', async () => {
    const { writer, batches } = fakes(['run_changed', 'run_changed', 'written']);
    expect(await writer.write('p', 'r', plan)).toMatchObject({ settings_revision: 3 });
    expect(batches.map(({ settings_revision }) => settings_revision)).toEqual([1, 2, 3]);
    expect(batches.at(-1)).toMatchObject({ project_id: 'p', run_id: 'r', score_trace_ids: ['t'], new_parents: [] });
  });

  it('gives up when the settings keep changing', async () => {
    const { writer, batches } = fakes([]);
    await expect(writer.write('p', 'r', plan)).rejects.toMatchObject({ code: 'run_busy', retryAfterSeconds: 1 });
    expect(batches).toHaveLength(5);
  });

  it('has nothing scored in a run without scorers', async () => {
    const { writer, batches } = fakes(['written'], false);
    await writer.write('p', 'r', plan);
    expect(batches).toMatchObject([{ score_trace_ids: [] }]);
  });

  it('is refused where there is no such run, before anything is planned', async () => {
    const { writer, batches } = fakes(['written']);
    const planless = () => expect.unreachable('planned for a run that is not there');
    await expect(writer.write('p', 'gone', planless)).rejects.toMatchObject({ kind: 'not_found', code: 'run_not_found' });
    expect(batches).toEqual([]);
  });
});
