import { randomUUID } from 'node:crypto';
import { callTestConsole } from '../console-api.ts';
import { edit, makeDataset, readRows } from '../fixtures/dataset-fixture.ts';
import { twoExperiments } from '../fixtures/experiment-fixture.ts';
import { variedTrace } from '../sent-trace.ts';
import { newTraffic } from '../traffic.ts';

/** As long as what people call fields, with a word that has no place to break. */
const LONG_NAME = 'Is it right, whole and in the words of the customer 5d5d8aaf-1d0a-4e18-8f29-b5c0d1a2e3f4?';
/** A name as frameworks make them, of one word that is wider than a phone. */
const LONG_WORD = `https://example.org/${'orders/refunds/'.repeat(8)}`;

/** Addresses that show a route of the console, by its path: with what is usual in it, its parts, its states. */
export type Samples = Readonly<Record<string, readonly string[]>>;

interface Made {
  readonly id: string;
}

const make = (path: string, body: unknown): Promise<Made> => callTestConsole<Made>('POST', path, body);
const LOG_STREAM = '/projects/:project_id/log_streams/:log_stream_id';
const withParts = (place: string, name: string, parts: readonly string[]): string[] => [
  place,
  ...parts.map((part) => `${place}?${name}=${part}`),
];

/** Puts something into every view, so that none is looked at empty, and returns where it is. */
export async function makeSamples(): Promise<Samples> {
  const [records, experiments, datasets, prompts, people, scorers] = await Promise.all([
    makeRecords(),
    makeExperiments(),
    makeDatasets(),
    makePrompts(),
    makePeople(),
    makeScorers(),
  ]);
  return { ...records, ...experiments, ...datasets, ...prompts, ...people, ...scorers };
}

const facts = { scoreable_node_types: ['trace'], output_type: 'boolean' };

async function makeCodeScorer(): Promise<string> {
  const { id } = await make('/scorers', { name: `code ${randomUUID().slice(0, 8)}`, scorer_type: 'code', ...facts });
  const form = new FormData();
  form.append('file', new Blob(['function scorer(record) {\n  return record.output !== "";\n}\n']), 'scorer.js');
  await callTestConsole('POST', `/scorers/${id}/version/code`, form);
  return id;
}

/** Makes one of each thing that people choose from, named at length. */
async function nameAtLength(): Promise<void> {
  const name = `${LONG_NAME} ${randomUUID()}`;
  const project = await make('/projects', { name });
  await make(`/projects/${project.id}/log_streams`, { name });
  await make(`/projects/${project.id}/experiments`, { name });
  await make('/scorers', { name, scorer_type: 'code', ...facts });
  await makeDataset([{ input: 'a', output: 'b' }], name);
  await make('/templates', { name, template: 'Answer {{input}}.' });
  await make('/groups', { name });
}

async function makeRecords(): Promise<Samples> {
  const { project_id, log_stream_id, path } = await newTraffic();
  const project = `/projects/${project_id}`;
  await nameAtLength();
  const [trace_id, other_id, long_id, session_id] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const traces = [
    variedTrace(trace_id),
    { ...variedTrace(other_id), name: '退款 ملخص', output: 'عاد المال اليوم' },
    { ...variedTrace(long_id), name: LONG_WORD, status_code: 500 },
  ];
  await callTestConsole('POST', `${project}/traces`, { log_stream_id, session_id, traces });
  const scorer_id = await makeCodeScorer();
  await callTestConsole('PATCH', `${path}/metric_settings`, { scorers: [{ id: scorer_id }] });
  await callTestConsole('PUT', `${project}/masking-rules`, { rules: [{ name: 'E-mail addresses', kind: 'email' }] });
  await callTestConsole('PUT', `${project}/model-prices`, {
    prices: [{ model: `in-house ${randomUUID()}`, from: '2026-01-01', input: 0.25, output: 2 }],
  });
  const field = await make(`${project}/annotation_templates`, { name: LONG_NAME, annotation_type: 'like_dislike' });
  await callTestConsole('POST', `${project}/annotations`, {
    ...{ log_stream_id, record_id: trace_id, template_id: field.id, value: true },
  });
  const queue = await make(`${project}/annotation_queues`, {
    ...{ log_stream_id, name: `queue ${randomUUID()}`, template_ids: [field.id] },
  });
  await callTestConsole('POST', `${project}/annotation_queues/${queue.id}/items/${other_id}`, {
    answers: [{ template_id: field.id, value: true }],
  });
  await callTestConsole('PUT', `${project}/bookmarks/${trace_id}`, { log_stream_id });
  await make(`${project}/views`, { name: `view ${randomUUID()}`, state: { record_type: 'trace' } });
  const { widgets } = await callTestConsole<{ widgets: { readonly widget_id: string }[] }>(
    'POST',
    `${path}/trends/widgets/query`,
    {
      start_time: new Date(Date.now() - 86_400_000),
      end_time: new Date(),
    },
  );
  const { alert } = await callTestConsole<{ alert: Made }>('POST', `${path}/trends/alerts`, {
    ...{ widget_id: widgets[0]!.widget_id, name: 'too many', operator: 'above', threshold: 10 },
    webhook_url: 'http://127.0.0.1:9/hook',
  });
  await make(`${project}/notification-routes`, {
    ...{ name: 'on call', channel: 'webhook', channel_settings: { url: 'http://127.0.0.1:9/hook' } },
  });
  const empty = await make(`${project}/log_streams`, { name: `empty ${randomUUID()}` });
  const failed = encodeURIComponent(JSON.stringify([{ type: 'number', column_id: 'status_code', operator: 'gte', value: 400 }]));
  const trace = `${project}/traces/${trace_id}`;
  return {
    '/': ['/', '/?name=no-such-project'],
    '/projects/:project_id': [project, `/projects/${randomUUID()}`],
    '/projects/:project_id/sharing': [`${project}/sharing`],
    '/projects/:project_id/settings': [`${project}/settings`],
    '/projects/:project_id/masking': [`${project}/masking`],
    '/projects/:project_id/spending': [`${project}/spending`],
    '/projects/:project_id/traces/compare': [
      `${project}/traces/compare?base=${trace_id}&other=${other_id}`,
      `${project}/traces/compare`,
    ],
    '/projects/:project_id/traces/:trace_id': [
      ...withParts(trace, 'show', ['scores', 'feedback', 'comments', 'details', 'json']),
      `${trace}?errors=1`,
      `${project}/traces/${long_id}`,
      `${project}/traces/${randomUUID()}`,
    ],
    '/projects/:project_id/playground': [`${project}/playground`],
    '/projects/:project_id/bookmarks': [`${project}/bookmarks`],
    '/projects/:project_id/annotation': [`${project}/annotation`],
    '/projects/:project_id/annotation/:queue_id': withParts(`${project}/annotation/${queue.id}`, 'part', [
      'review',
      'records',
      'progress',
    ]),
    [`${LOG_STREAM}/flow`]: [`${path}/flow`],
    [`${LOG_STREAM}/sessions/:session_id`]: [`${path}/sessions/${session_id}`],
    [LOG_STREAM]: [
      ...withParts(path, 'level', ['span', 'session']),
      `${path}?facets=on&rows=tall`,
      `${path}?open=${trace_id}`,
      `${path}?filters=${failed}&words=rostock`,
      `${project}/log_streams/${empty.id}`,
      `${project}/log_streams/${randomUUID()}`,
    ],
    [`${LOG_STREAM}/scorers`]: [`${path}/scorers`],
    [`${LOG_STREAM}/settings`]: [`${path}/settings`],
    [`${LOG_STREAM}/trends`]: withParts(`${path}/trends`, 'edit', ['on']),
    [`${LOG_STREAM}/trends/alerts`]: [`${path}/trends/alerts`],
    [`${LOG_STREAM}/trends/alerts/:alert_id`]: [`${path}/trends/alerts/${alert.id}`],
    [`${LOG_STREAM}/agreement`]: [`${path}/agreement`],
    [`${LOG_STREAM}/insights`]: [`${path}/insights`],
  };
}

async function makeExperiments(): Promise<Samples> {
  const { project_id, baseline, candidate } = await twoExperiments();
  const place = `/projects/${project_id}/experiments`;
  await make(`${place}/${baseline.id}/tags`, { key: 'team', value: 'search', tag_type: 'generic' });
  return {
    '/projects/:project_id/experiments': [place],
    '/projects/:project_id/experiments/compare': [`${place}/compare?ids=${baseline.id},${candidate.id}`],
    '/projects/:project_id/experiments/:experiment_id': [`${place}/${baseline.id}`],
    '/projects/:project_id/experiments/:experiment_id/records': withParts(`${place}/${baseline.id}/records`, 'level', ['span']),
  };
}

async function makeDatasets(): Promise<Samples> {
  const { id } = await makeDataset([
    { input: 'How long to Cork?', output: '5 days', metadata: { source: 'shop' } },
    { input: '退款要多久?', output: 'ثلاثة أيام' },
  ]);
  const [row] = await readRows(id);
  await edit(id, { edit_type: 'update_row', row_id: row!.row_id, values: { output: '8 days' } });
  const place = `/datasets/${id}`;
  return {
    '/datasets': ['/datasets', '/datasets?name=no-such-dataset'],
    '/datasets/:dataset_id': withParts(place, 'version', ['1']),
    '/datasets/:dataset_id/versions': [`${place}/versions`],
    '/datasets/:dataset_id/diff': [`${place}/diff?from=1&to=2`],
    '/datasets/:dataset_id/sharing': [`${place}/sharing`],
  };
}

async function makePrompts(): Promise<Samples> {
  const { id } = await make('/templates', { name: `prompt ${randomUUID()}`, template: 'Answer {{input}}.' });
  await make(`/templates/${id}/versions`, { template: 'Answer {{input}} briefly.' });
  await callTestConsole('PUT', `/templates/${id}/labels/production`, { version: 2 });
  return {
    '/prompts': ['/prompts', '/prompts?name=no-such-prompt'],
    '/prompts/:template_id': withParts(`/prompts/${id}`, 'part', ['compare', 'history', 'sharing']),
  };
}

async function makePeople(): Promise<Samples> {
  const group = await make('/groups', { name: `group ${randomUUID()}`, description: 'Who reads traces' });
  await make('/users', { email: `${randomUUID()}@example.org` });
  await callTestConsole('POST', '/invite_users', { emails: [`${randomUUID()}@example.org`] });
  await make('/users/api_keys', { description: 'nightly export' });
  const settings = { endpoint: 'http://127.0.0.1:9/v1', models: ['none'], authentication_type: 'none' };
  const integration = await callTestConsole<Made>(
    'PUT',
    `/integrations/custom?name=of-the-views-${randomUUID().slice(0, 8)}`,
    settings,
  );
  return {
    '/people': ['/people'],
    '/people/groups': ['/people/groups'],
    '/people/groups/:group_id': [`/people/groups/${group.id}`],
    '/people/keys': ['/people/keys'],
    '/audit': ['/audit', '/audit?actor_id=nobody'],
    '/integrations': ['/integrations'],
    '/integrations/prices': ['/integrations/prices'],
    '/integrations/:integration_id': [`/integrations/${integration.id}`],
  };
}

async function makeScorers(): Promise<Samples> {
  const judge = await make('/scorers', { name: `judge ${randomUUID().slice(0, 8)}`, scorer_type: 'llm', ...facts });
  for (const user_prompt of ['Right? {{output}}', 'Is it right? {{output}}'])
    await make(`/scorers/${judge.id}/version/llm`, { model_name: 'none', num_judges: 1, user_prompt });
  const code = await makeCodeScorer();
  const parts = ['versions', 'editor', 'health', 'compare', 'drift'];
  return {
    '/scorers': ['/scorers', '/scorers?kind=all', '/scorers?name=no-such-scorer'],
    '/scorers/:scorer_id/:part?': [
      ...['', ...parts.map((part) => `/${part}`)].map((part) => `/scorers/${judge.id}${part}`),
      ...['versions', 'editor'].map((part) => `/scorers/${code}/${part}`),
    ],
  };
}
