import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedService, startService } from '../../../testing/start-service.ts';
import { FIXTURES, type ImportEnded, ImportedProject, outline, runImport, type Shown } from './import-run.ts';

const folder = join(FIXTURES, 'phoenix');
let service: StartedService;
let first: ImportEnded;
let project: ImportedProject;
let traces: Shown[];
beforeAll(async () => {
  service = await startService();
  first = await runImport(service, ['phoenix', folder, '--project', 'moved']);
  expect(first).toMatchObject({ code: 0, err: '' });
  project = await ImportedProject.open(service, 'moved');
  traces = await project.traces();
});
afterAll(() => service.close());

describe('touchstone import phoenix', () => {
  it('brings spans of a table and of the API as trees', () => {
    expect(traces.map((trace) => outline(trace))).toEqual([
      ['trace agent', '  agent agent', '    llm OpenAI', '    retriever search'],
      ['trace embed', '  llm embed'],
    ]);
    expect(traces[0]).toMatchObject({
      external_id: '5b8efff798038103d269b633813fc60c',
      created_at: '2026-03-07T09:00:00.000Z',
      input: 'Late delivery?',
      output: 'I cannot say.',
      status_code: 500,
      tags: ['beta'],
      user_metadata: { 'user.id': 'u-5' },
      metrics: { duration_ns: 4_000_000_000, num_total_tokens: 38, cost: 0.0000093 },
    });
  });

  it('has the same ids as spans that came live by OpenTelemetry', () => {
    expect(traces[0]!.id).toBe('5b8efff7-9803-4103-9269-b633813fc60c');
  });

  it('reads messages, tool calls, tokens, documents and errors as OpenInference has them', () => {
    const [agent] = traces[0]!.spans;
    const [llm, retriever] = agent!.spans;
    expect(agent).toMatchObject({
      external_id: 'aaaa000000000001',
      status_code: 500,
      user_metadata: {
        tenant: 'west',
        deployment: 'blue',
        'exception.type': 'LookupError',
        'otel.status_message': 'order 7 is unknown',
      },
    });
    expect(llm).toMatchObject({
      model: 'gpt-4o-mini',
      temperature: 0.4,
      input: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Late delivery?' },
      ],
      output: { role: 'assistant', tool_calls: [{ id: 'call_9', function: { name: 'track', arguments: '{"order": 7}' } }] },
      metrics: { num_input_tokens: 30, num_output_tokens: 8, duration_ns: 1_500_000_000 },
    });
    expect(retriever).toMatchObject({
      input: 'delivery rules',
      output: [{ content: 'Two days at most.', metadata: { id: 'd1', score: 0.9 } }],
    });
    expect(traces[1]!.spans[0]).toMatchObject({ output: { content: 'Hello' }, metrics: { num_input_tokens: 3 } });
  });

  it('puts annotations on their spans and traces, evaluations under the name of their file', async () => {
    const [trace] = traces;
    const [agent] = trace!.spans;
    expect(trace!.metrics).toMatchObject({ solved: 0 });
    expect(agent!.spans[0]!.metrics).toMatchObject({ correctness: 0.25, toxicity: 1 });
    expect(agent!.spans[0]!.user_metadata).toMatchObject({
      'evaluation.correctness.label': 'incorrect',
      'evaluation.correctness.explanation': 'Never names a day.',
    });
    expect(JSON.stringify(agent!.feedback_rating_info)).toContain('tone');
    expect((await project.sessions()).map(({ external_id }) => external_id)).toContain('s-5');
  });

  it('brings examples of the API and of CSV into their datasets', async () => {
    expect(await project.rows('delivery')).toMatchObject([
      { input: { question: 'Late?' }, output: { answer: 'Two days.' }, metadata: { level: 'easy' } },
      { input: { question: 'Lost?' }, output: { answer: 'Refund.' } },
    ]);
    const csv = ['phoenix', join(FIXTURES, 'phoenix-dataset.csv'), '--project', 'moved', '--dataset', 'from a file'];
    expect(await runImport(service, csv)).toMatchObject({ code: 0, report: { arrived: { datasets: 1, rows: 1 } } });
    expect(await project.rows('from a file')).toMatchObject([
      { input: { question: 'Broken?' }, output: { answer: 'Exchange.' }, metadata: { level: 'hard' } },
    ]);
  });

  it('numbers the versions of a prompt by their ids', async () => {
    expect(await project.prompt('delivery-answer', 'version=1')).toMatchObject({ template: 'Answer {{question}}' });
    expect(await project.prompt('delivery-answer', 'label=production')).toMatchObject({
      version: 2,
      template: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: '{{question}}' },
      ],
      settings: { model_alias: 'gpt-4o-mini', temperature: 0.3, max_tokens: 100 },
      commit_message: 'short',
    });
  });

  it('says what came and what has no place', () => {
    expect(first.report).toMatchObject({
      arrived: {
        traces: 2,
        spans: 4,
        scores: 3,
        ratings: 1,
        sessions: 1,
        datasets: 1,
        rows: 2,
        prompts: 1,
        prompt_versions: 2,
        labels: 1,
      },
      kept_as_metadata: {},
      left_out: { 'an annotation of a document': 1 },
      not_understood: {},
      refused: {},
    });
  });

  it('keeps as metadata what has no field, and nothing else', () => {
    expect(first.report.kept_as_metadata).toEqual({});
  });

  it('adds nothing twice when the same files are imported again', async () => {
    const again = await runImport(service, ['phoenix', folder, '--project', 'moved']);
    expect(again).toMatchObject({ code: 0, report: { there_before: { rows: 2, prompt_versions: 2, labels: 1 } } });
    const after = await project.traces();
    expect(after.map((trace) => outline(trace))).toEqual(traces.map((trace) => outline(trace)));
    expect(after.map(({ metrics }) => metrics)).toEqual(traces.map(({ metrics }) => metrics));
    expect(await project.rows('delivery')).toHaveLength(2);
  });
});
