import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedService, startService } from '../../../testing/start-service.ts';
import { FIXTURES, type ImportEnded, ImportedProject, outline, runImport, type Shown } from './import-run.ts';

const folder = join(FIXTURES, 'langsmith');
let service: StartedService;
let first: ImportEnded;
let project: ImportedProject;
let traces: Shown[];
beforeAll(async () => {
  service = await startService();
  first = await runImport(service, ['langsmith', folder, '--project', 'moved']);
  expect(first).toMatchObject({ code: 0, err: '' });
  project = await ImportedProject.open(service, 'moved');
  traces = await project.traces();
});
afterAll(() => service.close());

describe('touchstone import langsmith', () => {
  it('brings runs as a tree under a trace of their own', () => {
    expect(traces.map((trace) => outline(trace))).toEqual([
      [
        'trace assistant',
        '  workflow assistant',
        '    workflow plan',
        '      llm ChatOpenAI',
        '      tool opening_hours',
        '      retriever docs',
      ],
      ['trace greet', '  workflow greet', '    llm ChatAnthropic'],
    ]);
    expect(traces[0]).toMatchObject({
      external_id: '0e01bf50-474d-4536-810f-67d3ee7ea3e7',
      created_at: '2026-03-05T12:00:00.000Z',
      input: 'Is it open on Sunday?',
      output: 'No, it is closed.',
      tags: ['web'],
      user_metadata: { 'user.id': 'u-42' },
      metrics: { duration_ns: 2_500_000_000, num_total_tokens: 54, cost: 0.0000135 },
    });
    expect(traces[0]!.spans[0]!.user_metadata).toMatchObject({ plan: 'pro', 'langsmith.trace_color': 'green' });
  });

  it("reads LangChain's messages, tool calls, documents, tokens and errors", () => {
    const [llm, tool, retriever] = traces[0]!.spans[0]!.spans[0]!.spans;
    expect(llm).toMatchObject({
      external_id: '0ec6b845-18b9-4aa1-8f1b-6ba3f9fdefd6',
      model: 'gpt-4o-mini',
      temperature: 0.1,
      tools: [{ type: 'function', function: { name: 'opening_hours' } }],
      input: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Is it open on Sunday?' },
      ],
      output: {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call_1', function: { name: 'opening_hours', arguments: '{"day":"Sunday"}' } }],
      },
      metrics: {
        num_input_tokens: 42,
        num_output_tokens: 12,
        num_total_tokens: 54,
        cost: 0.0000135,
        time_to_first_token_ns: 200_000_000,
      },
    });
    expect(tool).toMatchObject({ input: '{"day":"Sunday"}', output: 'TimeoutError("no answer")', status_code: 500 });
    expect(retriever).toMatchObject({
      input: 'opening hours',
      output: [{ content: 'Closed on Sundays.', metadata: { source: 'hours.md' } }],
    });
  });

  it('reads a bulk export in Parquet', () => {
    expect(traces[1]!.spans[0]!.spans[0]).toMatchObject({
      input: [{ role: 'user', content: 'Hello?' }],
      output: { role: 'assistant', content: 'Hi.' },
      model: 'claude-sonnet-4',
      tags: ['fast'],
      metrics: { num_input_tokens: 5, num_output_tokens: 2, cost: 0.00002, duration_ns: 1_000_000_000 },
    });
    expect(traces[1]!.metrics).toMatchObject({ num_total_tokens: 7 });
  });

  it('makes sessions of threads', async () => {
    const names = (await project.sessions()).map(({ external_id }) => external_id);
    expect(names.sort()).toEqual(['conv-9', 'thread-7']);
  });

  it('puts feedback on its run, though it may name no trace, and on the trace where the run is its root', () => {
    const [trace] = traces;
    expect(trace!.metrics).toMatchObject({ correctness: 1 });
    expect(JSON.stringify(trace!.feedback_rating_info)).toMatch(/helpful.*category|category.*helpful/);
    const [llm] = trace!.spans[0]!.spans[0]!.spans;
    expect(llm!.metrics).toMatchObject({ correctness: 0.75 });
    expect(llm!.user_metadata).toMatchObject({
      'evaluation.correctness.label': 'mostly',
      'evaluation.correctness.explanation': 'Misses holidays.',
    });
  });

  it('brings examples with their split into the dataset of their id', async () => {
    expect(await project.rows('hours questions')).toMatchObject([
      { input: { question: 'Open on Sunday?' }, output: { answer: 'No.' }, metadata: { level: 'easy' }, split: 'test' },
      { input: { question: 'Open on Monday?', lang: 'en' }, output: { answer: 'From nine.' }, split: 'base,test' },
    ]);
  });

  it('numbers the commits of a prompt by their order, with their tags as labels', async () => {
    expect(await project.prompt('answer-hours', 'label=staging')).toMatchObject({
      version: 1,
      template: 'Answer {{question}} in {{lang}}.',
      commit_message: 'commit aaaa1111',
    });
    expect(await project.prompt('answer-hours', 'label=production')).toMatchObject({
      version: 2,
      template: [
        { role: 'system', content: 'Answer as JSON: {"answer": "..."}' },
        { role: 'placeholder', content: '{{history}}' },
        { role: 'user', content: '{{question}}' },
      ],
      settings: { model_alias: 'gpt-4o', temperature: 0.3 },
    });
  });

  it('says what came and what has no place', () => {
    expect(first.report).toMatchObject({
      arrived: {
        traces: 2,
        spans: 7,
        scores: 2,
        ratings: 2,
        sessions: 2,
        datasets: 1,
        rows: 2,
        prompts: 1,
        prompt_versions: 2,
        labels: 2,
      },
      kept_as_metadata: { trace_color: 1 },
      left_out: {
        'feedback on a project or an experiment': 1,
        'a score of a record that is not among the files': 1,
        'correction of feedback': 1,
        'description of a dataset': 1,
      },
      not_understood: {},
      refused: {},
    });
  });

  it('keeps as metadata what has no field, and nothing else', () => {
    expect(first.report.kept_as_metadata).toEqual({ trace_color: 1 });
  });

  it('adds nothing twice when the same files are imported again', async () => {
    const again = await runImport(service, ['langsmith', folder, '--project', 'moved']);
    expect(again).toMatchObject({ code: 0, report: { there_before: { rows: 2, prompt_versions: 2, labels: 2 } } });
    const after = await project.traces();
    expect(after.map((trace) => outline(trace))).toEqual(traces.map((trace) => outline(trace)));
    expect(after.map(({ metrics }) => metrics)).toEqual(traces.map(({ metrics }) => metrics));
    expect(await project.rows('hours questions')).toHaveLength(2);
    expect(await project.sessions()).toHaveLength(2);
  });

  it('takes a file that the app saved of a dataset, whatever its columns', async () => {
    const file = join(FIXTURES, 'langsmith-dataset.csv');
    const done = await runImport(service, ['langsmith', file, '--project', 'moved', '--dataset', 'from the app']);
    expect(done).toMatchObject({ code: 0, report: { arrived: { datasets: 1, rows: 2 } } });
    expect(await project.rows('from the app')).toMatchObject([
      { input_question: 'Open on Sunday?', output_answer: 'No.' },
      { input_question: 'Open on Monday?', output_answer: 'From nine.' },
    ]);
    expect(await runImport(service, ['langsmith', file, '--project', 'moved', '--dataset', 'from the app'])).toMatchObject({
      code: 0,
      report: { there_before: { rows: 2 } },
    });
  });

  it('ends with 1 where rows are nothing of the product', async () => {
    const done = await runImport(service, ['langsmith', join(FIXTURES, 'langsmith-dataset.csv'), '--project', 'moved']);
    expect(done.code).toBe(1);
    expect(done.report.not_understood).toEqual({ 'a row with input_question, output_answer': 2 });
    expect(done.report.examples[0]).toContain('langsmith-dataset.csv row 1');
  });
});
