import { randomUUID } from 'node:crypto';
import { callTestConsole } from './console-api.ts';

/** A log stream of a test's own, in a project of its own. */
export interface TestLogStream {
  readonly project_id: string;
  readonly log_stream_id: string;
  readonly name: string;
  /** Its address in the console. */
  readonly place: string;
  /** Logs traces with these names, the first the oldest, each a minute after the one before; returns their ids. */
  log(...names: string[]): Promise<string[]>;
}

const MINUTE_MS = 60_000;

export async function makeLogStream(): Promise<TestLogStream> {
  const name = `stream ${randomUUID()}`;
  const { id: project_id } = await callTestConsole<{ id: string }>('POST', '/projects', {
    name: `project ${randomUUID()}`,
    type: 'gen_ai',
  });
  const { id: log_stream_id } = await callTestConsole<{ id: string }>('POST', `/projects/${project_id}/log_streams`, { name });
  let at = Date.now() - 1000 * MINUTE_MS;
  return {
    project_id,
    log_stream_id,
    name,
    place: `/projects/${project_id}/log_streams/${log_stream_id}`,
    async log(...names) {
      const traces = names.map((one) => {
        at += MINUTE_MS;
        return {
          type: 'trace',
          id: randomUUID(),
          name: one,
          input: `asks ${one}`,
          output: 'told',
          created_at: new Date(at).toISOString(),
        };
      });
      await callTestConsole('POST', `/projects/${project_id}/traces`, { log_stream_id, traces });
      return traces.map(({ id }) => id);
    },
  };
}
