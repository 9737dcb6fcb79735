import { randomUUID } from 'node:crypto';
import { callTestConsole } from './console-api.ts';
import { getTestConsole } from './test-console.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}
export type MadeDataset = Named;

interface Asked {
  readonly input: string;
  readonly output: string;
}

/** A dataset of these rows. */
export async function makeDataset(rows: readonly object[], name = `dataset ${randomUUID()}`): Promise<MadeDataset> {
  const form = new FormData();
  form.append('name', name);
  form.append('file', new File([rows.map((row) => JSON.stringify(row)).join('\n')], 'rows.jsonl'));
  return callTestConsole('POST', '/datasets', form);
}

export interface Row {
  readonly row_id: string;
  readonly values_dict: Readonly<Record<string, string | null>>;
}

export const readRows = async (id: string): Promise<Row[]> =>
  (await callTestConsole<{ rows: Row[] }>('GET', `/datasets/${id}/content`)).rows;

export const edit = (id: string, ...edits: object[]): Promise<void> =>
  callTestConsole('PATCH', `/datasets/${id}/content`, { edits });

/** The questions and answers of a log stream of the demo as a dataset: inputs, and outputs as what is right. */
export async function datasetOfDemo(log_stream: string, name: string, count: number): Promise<MadeDataset> {
  const { project_id } = getTestConsole();
  const { log_streams } = await callTestConsole<{ log_streams: Named[] }>('GET', `/projects/${project_id}/log_streams/paginated`);
  const log_stream_id = log_streams.find(({ name: one }) => one === log_stream)!.id;
  const sort = { column_id: 'created_at', ascending: true };
  const wanted = { log_stream_id, sort, limit: count };
  const { records } = await callTestConsole<{ records: Asked[] }>('POST', `/projects/${project_id}/traces/search`, wanted);
  return makeDataset(
    records.map(({ input, output }) => ({ input, output, metadata: { log_stream } })),
    name,
  );
}
