import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedService, startService } from '../../../testing/start-service.ts';
import { FIXTURES, type ImportEnded, ImportedProject, outline, runImport, type Shown } from './import-run.ts';

const folder = join(FIXTURES, 'mlflow');
let service: StartedService;
let first: ImportEnded;
let project: ImportedProject;
let traces: Shown[];
beforeAll(async () => {
  service = await startService();
  first = await runImport(service, ['mlflow', folder, '--project', 'moved']);
  expect(first).toMatchObject({ code: 0, err: '' });
  project = await ImportedProject.open(service, 'moved');
  traces = await project.traces();
});
afterAll(() => service.close());

describe('touchstone import mlflow', () => {
  it('brings traces of both versions of the shape, and out of a table', () => {
    expect(traces.map((trace) => outline(trace))).toEqual([
      ['trace predict', '  workflow predict'],
      ['trace answer', '  agent answer', '    llm Completions', '    tool lookup', '    retriever docs'],
      ['trace hello', '  llm hello'],
    ]);
    const [older, trace, fromTable] = traces;
    expect(older).toMatchObject({
      external_id: '4dd1a3b7c0de4f0fa1b2c3d4e5f60718',
      status_code: 500,
      input: '{"x": 1}',
      metrics: { duration_ns: 120_000_000 },
    });
    expect(trace).toMatchObject({
      id: '9c8efff7-9803-4103-9269-b633813fc60c',
      external_id: 'tr-9c8efff798038103d269b633813fc60c',
      created_at: '2026-03-08T09:00:00.000Z',
      input: '{"question": "Warranty?"}',
      output: 'Two years.',
      user_metadata: {
        'user.id': 'u-77',
        env: 'prod',
        build: '42',
        'mlflow.source.name': 'app.py',
        'mlflow.client_request_id': 'req-9',
      },
      metrics: { num_total_tokens: 26, cost: 0.000006, duration_ns: 2_500_000_000 },
    });
    expect(fromTable!.spans[0]).toMatchObject({
      input: [{ role: 'user', content: 'Hi' }],
      output: { role: 'assistant', content: 'Hello' },
    });
  });

  it('reads spans as the instrumentation of MLflow has them', () => {
    const [llm, tool, retriever] = traces[1]!.spans[0]!.spans;
    expect(llm).toMatchObject({
      external_id: 'dddd000000000002',
      model: 'gpt-4o-mini',
      tools: [{ type: 'function', function: { name: 'lookup' } }],
      input: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Warranty?' },
      ],
      output: { role: 'assistant', content: 'Two years.' },
      metrics: { num_input_tokens: 21, num_output_tokens: 5, cost: 0.000006 },
    });
    expect(llm!.user_metadata).toMatchObject({ team: '"blue"' });
    expect(tool).toMatchObject({ status_code: 500, output: 'no such sku', user_metadata: { 'exception.type': 'KeyError' } });
    expect(retriever).toMatchObject({ output: [{ content: 'Warranty is two years.', metadata: { doc_uri: 'w.md' } }] });
  });

  it('puts assessments on traces and spans, and traces into sessions', async () => {
    const [, trace, fromTable] = traces;
    expect(trace!.metrics).toMatchObject({ relevance: 0.9 });
    expect(trace!.user_metadata).toMatchObject({ 'evaluation.relevance.explanation': 'On the point.' });
    expect(JSON.stringify(trace!.feedback_rating_info)).toMatch(/helpful/);
    expect(JSON.stringify(trace!.feedback_rating_info)).toMatch(/expected answer/);
    expect(trace!.spans[0]!.spans[0]!.metrics).toMatchObject({ safety: 'yes' });
    expect(fromTable!.metrics).toMatchObject({ quality: 4 });
    expect((await project.sessions()).map(({ external_id }) => external_id)).toContain('chat-1');
  });

  it('brings records of datasets with what is expected of them', async () => {
    expect(await project.rows('warranty')).toMatchObject([
      {
        input: { question: 'Warranty?' },
        output: 'Two years.',
        expectations: '{"guidelines":["be short"]}',
        metadata: { level: 'easy' },
      },
      { input: { question: 'Returns?' }, output: { answer: '30 days' } },
    ]);
  });

  it('brings versions of prompts with aliases as labels', async () => {
    expect(await project.prompt('warranty-answer', 'version=1')).toMatchObject({
      template: 'Answer {{question}}.',
      commit_message: 'first',
    });
    expect(await project.prompt('warranty-answer', 'label=production')).toMatchObject({
      version: 2,
      template: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: '{{question}}' },
      ],
      settings: { model_alias: 'gpt-4o-mini', temperature: 0.2 },
    });
  });

  it('says what came and what has no place', () => {
    expect(first.report).toMatchObject({
      arrived: {
        traces: 3,
        spans: 6,
        scores: 3,
        ratings: 2,
        sessions: 1,
        datasets: 1,
        rows: 2,
        prompts: 1,
        prompt_versions: 2,
        labels: 1,
      },
      left_out: { 'an assessment that failed': 1, 'a tag of a prompt': 1 },
      not_understood: {},
      refused: {},
    });
  });

  it('keeps as metadata what has no field, and nothing else', () => {
    expect(first.report.kept_as_metadata).toEqual({ client_request_id: 1 });
  });

  it('adds nothing twice when the same files are imported again', async () => {
    const again = await runImport(service, ['mlflow', folder, '--project', 'moved']);
    expect(again).toMatchObject({ code: 0, report: { there_before: { rows: 2, prompt_versions: 2, labels: 1 } } });
    const after = await project.traces();
    expect(after.map((trace) => outline(trace))).toEqual(traces.map((trace) => outline(trace)));
    expect(after.map(({ metrics }) => metrics)).toEqual(traces.map(({ metrics }) => metrics));
    expect(await project.rows('warranty')).toHaveLength(2);
  });
});
