import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PluginError } from '../../../core/plugin-sdk/index.ts';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';
import { parrotProvider } from '../scorers/scorer-fixture.ts';

/** One of them hears "please", the others always say the same; about something mumbled the first one says nothing. */
const JURORS: Readonly<Record<string, (text: string) => boolean>> = {
  keen: (text) => {
    if (text.includes('mumble')) throw new PluginError('unsupported', 'cannot hear that');
    return text.includes('please');
  },
  kind: (text) => !text.includes('awful'),
  strict: () => false,
};
const parrot = parrotProvider(({ model, text }) => `{"rating": ${JURORS[model]!(text)}}`, Object.keys(JURORS));

let server: TestServer;
let ada: Person;
let project: string;
let run_id: string;
let scorer_id: string;
let template_id: string;
let queue: string;
const get = async (path: string) => (await ada.request('GET', project + path)).body;
const post = (path: string, body: object = {}) => ada.request('POST', project + path, body);
const log = async (...outputs: string[]): Promise<string[]> =>
  (await post('/traces', { log_stream_id: run_id, traces: outputs.map((output) => ({ input: 'a wish', output })) })).body
    .trace_ids;
const waiting = (num_pending: number) => eventually(async () => expect(await get(queue)).toMatchObject({ num_pending }));
/** The annotator likes who says please. */
const answerNext = async (): Promise<string> => {
  const { record } = (await post(`${queue}/next`)).body;
  const answers = [{ template_id, value: record.output.includes('please') }];
  expect((await post(`${queue}/items/${record.id}`, { answers })).status).toBe(200);
  return record.output;
};

beforeAll(async () => {
  server = await startTestServer({ modelProviders: [parrot] });
  ada = await person(server);
  project = `/v2/projects/${(await ada.request('POST', '/v2/projects', { name: 'Harbour' })).body.id}`;
  run_id = (await post('/log_streams', { name: 'default' })).body.id;
  await ada.request('PUT', '/v2/integrations/parrot', { token: 'of-ada' });
  template_id = (await post('/annotation_templates', { name: 'polite', annotation_type: 'like_dislike' })).body.id;
  const scorer = { name: 'politeness', scorer_type: 'llm', scoreable_node_types: ['trace'], output_type: 'boolean' };
  scorer_id = (await ada.request('POST', '/v2/scorers', scorer)).body.id;
  const jurors = [{ model_name: 'keen', provider: 'parrot', weight: 2 }, { model_name: 'kind' }, { model_name: 'strict' }];
  const version = { jurors, user_prompt: 'Is this polite? {{output}}' };
  expect((await ada.request('POST', `/v2/scorers/${scorer_id}/version/llm`, version)).status).toBe(200);
  await post(`/runs/${run_id}/scorer-settings`, { scorers: [{ id: scorer_id, name: 'polite' }] });
});
afterAll(() => server.close());

describe('the loop of a jury', () => {
  it('goes from disagreement by a queue to truth, and by truth to the health of the jury and the weights of its jurors', async () => {
    // Disagreement: what the jurors agree on stays out of the queue, and where they are apart most comes first.
    const made = { name: 'apart', log_stream_id: run_id, template_ids: [template_id], order_by: 'judge_disagreement' };
    const judge_disagreement = { scorer_id, above: 0.2 };
    const { status, body } = await post('/annotation_queues', { ...made, judge_disagreement });
    expect({ status, body }).toMatchObject({ status: 200, body: { judge_disagreement, num_pending: 0 } });
    queue = `/annotation_queues/${body.id}`;
    const [agreed, ...apart] = await log('awful', 'yes please', 'more please', 'no', 'mumble');
    await waiting(4);
    const { items } = await get(`${queue}/items`);
    const disagreements = new Map(items.map((item: Item) => [item.record_id, item.judge_disagreement]));
    expect(disagreements.has(agreed)).toBe(false);
    expect(apart.map((id) => disagreements.get(id))).toEqual([0.25, 0.25, 0.25, 0.5]);
    expect(await get(`${queue}/health`)).toMatchObject({ scorer_id, records: 0, health: null, jurors: [] });

    // Truth: answers of the annotator renew the health as soon as they are there.
    expect(await answerNext()).toBe('mumble');
    expect(await get(`${queue}/health`)).toMatchObject({ records: 1, health: { secondary: { accuracy: 1 } } });
    while ((await get(queue)).num_pending > 0) await answerNext();
    const health = await get(`${queue}/health`);
    expect(health).toMatchObject({ template_id, scorer_version_number: 1, records: 4, health: { joined_rows: 4, value: 1 } });
    const accuracy = ({ model, weight, health: { secondary, joined_rows } }: Juror) => ({
      ...{ model, weight, joined_rows, accuracy: secondary.accuracy },
    });
    expect(health.jurors.map(accuracy)).toEqual(
      expect.arrayContaining([
        { model: 'keen', weight: 2, joined_rows: 3, accuracy: 1 },
        { model: 'kind', weight: 1, joined_rows: 4, accuracy: 0.5 },
        { model: 'strict', weight: 1, joined_rows: 4, accuracy: 0.5 },
      ]),
    );

    // Weights: from too few answers there are none, from more there is a version whose best juror weighs most.
    const refused = await post(`${queue}/weighed-version`);
    expect(refused).toMatchObject({ status: 422, body: { code: 'juror_answers_too_few' } });
    await log(...Array.from({ length: 10 }, (_, at) => (at % 2 ? `please ${at}` : `no ${at}`)));
    await waiting(10);
    while ((await get(queue)).num_pending > 0) await answerNext();
    const weighed = await post(`${queue}/weighed-version`);
    expect(weighed, JSON.stringify(weighed.body)).toMatchObject({ status: 200, body: { version: 2, num_judges: 3 } });
    const { jurors } = weighed.body.generated_scorer.scorer_configuration;
    const measured: Juror[] = (await get(`${queue}/health`)).jurors;
    for (const { model_name, weight } of jurors)
      expect(weight).toBe(measured.find(({ model }) => model === model_name)!.health.value);
    expect(jurors).toMatchObject([{ model_name: 'keen', provider: 'parrot', weight: 1 }, {}, {}]);
    expect(jurors[1].weight).toBeLessThan(0.7);
  });

  it('shows with each score how far the jurors agreed, who is missing, and every juror’s call, in its replay, too', async () => {
    const by = (operator: string, value: number) => ({ type: 'number', column_id: 'agreement/polite', operator, value });
    const searched = { log_stream_id: run_id, filters: [by('lte', 0.5)] };
    const { records } = (
      await post('/traces/partial_search', { ...searched, select_columns: { column_ids: ['output', 'agreement/polite'] } })
    ).body;
    expect(records).toMatchObject([{ output: 'mumble', metric_info: { polite: { agreement: 0.5, value: false } } }]);
    const exported = {
      log_stream_id: run_id,
      root_type: 'trace',
      export_format: 'csv',
      column_ids: ['output', 'agreement/polite'],
    };
    const lines: string = (await post('/export_records', { ...exported, filters: searched.filters })).body;
    expect(lines.trim().split(/\r?\n/)).toEqual(['output,agreement/polite', 'mumble,0.5']);
    const { columns } = (await post('/traces/available_columns', { log_stream_id: run_id })).body;
    const described = { category: 'metric', data_type: 'floating_point', filterable: true, sortable: true, is_empty: false };
    expect(columns).toContainEqual(expect.objectContaining({ id: 'agreement/polite', ...described }));

    const at = `/runs/${run_id}/records/${records[0].id}/scores`;
    const [score] = (await get(at)).scores;
    const missing_votes = [{ model: 'keen', weight: 2, message: 'cannot hear that' }];
    expect(score).toMatchObject({ agreement: 0.5, num_judges: 3, missing_votes, input_tokens: 20, cost: 1, model: null });
    expect(score.votes).toMatchObject([
      { value: true, model: 'kind', weight: 1 },
      { value: false, model: 'strict', weight: 1 },
    ]);
    const { body } = await post(`${at}/${score.scorer_version_id}/replay`);
    expect(body.is_equal).toBe(true);
    const asked = [body.calls_before, body.calls].map((calls: Call[]) => calls.map(({ model_alias }) => model_alias).sort());
    expect(asked).toEqual([
      ['keen', 'kind', 'strict'],
      ['keen', 'kind', 'strict'],
    ]);
  });

  it('begins with what is there already, and asks for a scorer that is there', async () => {
    const rule = (facts: object) => ({ judge_disagreement: { scorer_id, above: 0.4, ...facts } });
    const made = { name: 'later', log_stream_id: run_id, template_ids: [template_id] };
    expect(await post('/annotation_queues', { ...made, ...rule({}) })).toMatchObject({ status: 200, body: { num_pending: 1 } });
    const unknown = await post('/annotation_queues', { ...made, ...rule({ scorer_id: template_id }) });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'scorer_not_found' } });
    expect((await post('/annotation_queues', { ...made, ...rule({ above: 2 }) })).status).toBe(422);
    const plain = (await post('/annotation_queues', { ...made, record_ids: [] })).body;
    const health = await ada.request('GET', `${project}/annotation_queues/${plain.id}/health`);
    expect(health).toMatchObject({ status: 422, body: { code: 'queue_without_scorer' } });
    const set = await ada.request('PATCH', `${project}/annotation_queues/${plain.id}`, rule({ above: 1 }));
    expect(set.body).toMatchObject({ judge_disagreement: { above: 1 } });
    expect((await post(`/annotation_queues/${plain.id}/weighed-version`)).body).toMatchObject({ code: 'version_without_jury' });
  });
});

interface Item {
  readonly record_id: string;
  readonly judge_disagreement: number | null;
}
interface Juror {
  readonly model: string;
  readonly weight: number;
  readonly health: { readonly value: number; readonly joined_rows: number; readonly secondary: Readonly<Record<string, number>> };
}
interface Call {
  readonly model_alias: string;
}
