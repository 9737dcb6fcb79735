import { init } from '../../../clients/typescript/src/index.ts';

// A program that an application bundles for its page: sends a trace and reads it back.
const page = globalThis as unknown as { readonly location: { readonly search: string }; outcome: object };
const asked = new URLSearchParams(page.location.search);
let lost = 0;

async function run() {
  const client = init({
    url: asked.get('url')!,
    apiKey: asked.get('key')!,
    project: 'pages',
    logStream: 'browser',
    giveUpAfterMs: 1_000,
    onLost: (spans) => {
      lost += spans;
    },
  });
  const answer = client.traced({ name: 'answer', type: 'agent' }, (question: string) =>
    client.span({ name: 'look up', type: 'retriever', input: question }, () => `documents about ${question}`),
  );
  await answer('tea');
  await client.flush();
  const { data: found } = await client.api.POST('/v2/projects/paginated', {
    body: { filters: [{ name: 'name', operator: 'eq', value: 'pages' }] },
  });
  const project_id = found!.projects[0]!.id;
  const { data: streams } = await client.api.GET('/v2/projects/{project_id}/log_streams', { params: { path: { project_id } } });
  const log_stream_id = streams!.find(({ name }) => name === 'browser')!.id;
  const { data } = await client.api.POST('/v2/projects/{project_id}/traces/search', {
    params: { path: { project_id } },
    body: { log_stream_id },
  });
  return data!.records.map(({ name, input, output }) => ({ name, input, output }));
}

function show(traces: readonly object[], error: string | null): void {
  page.outcome = { traces, lost, error };
}
run().then(
  (traces) => show(traces, null),
  (error: unknown) => show([], String(error)),
);
