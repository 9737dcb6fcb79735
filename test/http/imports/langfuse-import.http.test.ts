import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedService, startService } from '../../../testing/start-service.ts';
import { FIXTURES, type ImportEnded, ImportedProject, outline, runImport, type Shown } from './import-run.ts';

const folder = join(FIXTURES, 'langfuse');
let service: StartedService;
let first: ImportEnded;
let project: ImportedProject;
let traces: Shown[];
beforeAll(async () => {
  service = await startService();
  first = await runImport(service, ['langfuse', folder, '--project', 'moved']);
  expect(first).toMatchObject({ code: 0, err: '' });
  project = await ImportedProject.open(service, 'moved');
  traces = await project.traces();
});
afterAll(() => service.close());

describe('touchstone import langfuse', () => {
  it('brings the tree of a trace with what its own row says', () => {
    const [trace] = traces;
    expect(outline(trace!)).toEqual([
      'trace answer-question',
      '  agent support-agent',
      '    tool find_order',
      '    retriever policies',
      '    llm compose',
    ]);
    expect(trace).toMatchObject({
      external_id: '3f0c1f2e9d5b4a6c8e7f001122334455',
      created_at: '2026-03-02T09:15:00.120Z',
      input: 'Where is my refund?',
      output: 'It was sent on Monday.',
      tags: ['refund', 'de'],
      user_metadata: { 'user.id': 'u-17', tenant: 'north', plan: 'gold', release: 'v1.4', 'langfuse.bookmarked': 'true' },
    });
  });

  it('reads observations by their type: messages, tools, tokens, cost, documents, errors', () => {
    const [tool, retriever, llm] = traces[0]!.spans[0]!.spans;
    expect(llm).toMatchObject({
      external_id: 'gen-1',
      created_at: '2026-03-02T09:15:02.000Z',
      model: 'gpt-4o-mini',
      temperature: 0.2,
      tools: [{ name: 'find_order', description: 'Finds an order.' }],
      input: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Where is my refund?' },
      ],
      output: { role: 'assistant', content: 'It was sent on Monday.' },
      metrics: {
        num_input_tokens: 120,
        num_output_tokens: 30,
        num_total_tokens: 150,
        cost: 0.000036,
        duration_ns: 2_000_000_000,
        time_to_first_token_ns: 500_000_000,
      },
    });
    expect(llm!.user_metadata).toMatchObject({ attempt: '1', 'langfuse.observation.prompt.name': 'support-answer' });
    expect(tool).toMatchObject({ input: '{"order":"A-1"}', output: 'order service timed out', status_code: 500 });
    expect(retriever).toMatchObject({ input: 'refund policy', output: [{ content: 'Refunds take three days.' }] });
    expect(traces[0]!.metrics).toMatchObject({ num_total_tokens: 150, cost: 0.000036 });
  });

  it('brings traces of the enriched export and of the API', () => {
    const [, alone, greeting, fromApi] = traces;
    expect(traces).toHaveLength(4);
    expect(alone).toMatchObject({
      name: 'only-a-trace',
      external_id: 'order-2026-0007',
      input: '{"question":"Hours?"}',
      spans: [],
    });
    expect(outline(greeting!)).toEqual(['trace greeting', '  llm chat']);
    expect(greeting).toMatchObject({ tags: ['hello'], user_metadata: { 'user.id': 'u-18', release: 'v1.5' } });
    expect(greeting!.spans[0]!.metrics).toMatchObject({ num_input_tokens: 10, num_cached_input_tokens: 2, num_output_tokens: 6 });
    expect(outline(fromApi!)).toEqual(['trace from-the-api', '  llm reply']);
    expect(fromApi!.spans[0]).toMatchObject({ metrics: { cost: 0.0002, num_total_tokens: 14 }, temperature: 0 });
  });

  it('puts traces into their sessions', async () => {
    const sessions = await project.sessions();
    const names = sessions.map(({ external_id }) => external_id).filter((id) => id !== null);
    expect(names.sort()).toEqual(['chat-42', 'chat-43']);
    expect(sessions.find(({ external_id }) => external_id === 'chat-42')!.id).toBe(traces[0]!.session_id);
  });

  it('makes metrics of what programs scored, and ratings of what people said', async () => {
    const [trace] = traces;
    expect(trace!.metrics).toMatchObject({ helpfulness: 0.875 });
    expect(trace!.user_metadata).toMatchObject({ 'evaluation.helpfulness.explanation': 'Names the day.' });
    expect(trace!.spans[0]!.spans[2]!.metrics).toMatchObject({ tone: 'friendly' });
    expect(JSON.stringify(trace!.feedback_rating_info)).toContain('thumbs');
    const session = (await project.sessions()).find(({ external_id }) => external_id === 'chat-42');
    expect(JSON.stringify(session!.feedback_rating_info)).toContain('resolved');
  });

  it('brings items of datasets, without those that are archived', async () => {
    const rows = await project.rows('refund-questions');
    expect(rows).toMatchObject([
      { input: { question: 'Where is my refund?' }, output: 'On its way.', source_trace_id: '3f0c1f2e9d5b4a6c8e7f001122334455' },
      { input: { question: 'How long?' }, output: { days: 3 }, metadata: { level: 'easy' } },
    ]);
  });

  it('brings all versions of a prompt with the label where it was', async () => {
    expect(await project.prompt('support-answer', 'version=1')).toMatchObject({ version: 1, template: 'Answer {{question}}.' });
    expect(await project.prompt('support-answer', 'label=production')).toMatchObject({
      version: 2,
      template: [
        { role: 'system', content: 'Be short.' },
        { role: 'placeholder', content: '{{history}}' },
        { role: 'user', content: '{{question}}' },
      ],
      settings: { model_alias: 'gpt-4o-mini', temperature: 0.2 },
      commit_message: 'As a chat',
      labels: ['production'],
    });
  });

  it('says what came, what was kept as metadata and what has no place', () => {
    expect(first.report).toMatchObject({
      product: 'langfuse',
      dry_run: false,
      arrived: {
        traces: 4,
        spans: 6,
        scores: 2,
        ratings: 2,
        sessions: 2,
        datasets: 1,
        rows: 2,
        prompts: 1,
        prompt_versions: 2,
        labels: 1,
      },
      kept_as_metadata: { experimentalFlag: 1, environment: 6 },
      left_out: {
        'a score of a dataset run': 1,
        'an archived dataset item': 1,
        'a tag of a prompt': 2,
        'setting owner of a prompt': 1,
        'description of a dataset': 1,
      },
      not_understood: {},
      refused: {},
    });
    expect(traces[3]!.spans[0]!.user_metadata).toMatchObject({ 'langfuse.experimentalFlag': 'blue' });
  });

  it('keeps as metadata what has no field, and nothing else', () => {
    expect(first.report.kept_as_metadata).toEqual({ experimentalFlag: 1, environment: 6 });
  });

  it('adds nothing twice when the same files are imported again', async () => {
    const again = await runImport(service, ['langfuse', folder, '--project', 'moved']);
    expect(again).toMatchObject({ code: 0, report: { there_before: { rows: 2, prompt_versions: 2, labels: 1 } } });
    expect(again.report.arrived).toMatchObject({ datasets: 0, rows: 0, prompts: 0, prompt_versions: 0 });
    const after = await project.traces();
    expect(after.map((trace) => outline(trace))).toEqual(traces.map((trace) => outline(trace)));
    expect(after.map(({ metrics }) => metrics)).toEqual(traces.map(({ metrics }) => metrics));
    expect(await project.spans()).toHaveLength(6);
    expect((await project.sessions()).filter(({ external_id }) => external_id !== null)).toHaveLength(2);
    expect(await project.rows('refund-questions')).toHaveLength(2);
  });

  it('sends nothing on a dry run, and reports the same', async () => {
    const dry = await runImport(service, ['langfuse', folder, '--project', 'never', '--dry-run']);
    expect(dry).toMatchObject({
      code: 0,
      report: { dry_run: true, arrived: { traces: 4, spans: 6, rows: 2, prompt_versions: 2 } },
    });
    const { body } = await service.request('POST', '/v2/projects/paginated', {
      filters: [{ name: 'name', operator: 'eq', value: 'never' }],
    });
    expect(body).toMatchObject({ projects: [] });
  });
});
