import { randomUUID } from 'node:crypto';
import { connect } from '../../demo/api.ts';
import { getTestConsole } from './test-console.ts';

/** A log stream of its own for the tests of one file. */
export async function newLogStream(): Promise<{ project_id: string; log_stream_id: string }> {
  const { project_id } = getTestConsole();
  const { id } = await api().post<{ id: string }>(`/projects/${project_id}/log_streams`, { name: `stream ${randomUUID()}` });
  return { project_id, log_stream_id: id };
}

export const api = () => connect(getTestConsole().url, getTestConsole().api_key);

/** A trace with a step of nearly every kind: messages with parts and tool calls, documents, a failure, redacted texts. */
export function variedTrace(id: string) {
  return {
    id,
    name: 'plan a trip',
    created_at: '2026-11-10T08:00:00.000Z',
    input: 'Where shall we go?',
    output: 'To the sea.',
    redacted_output: 'To the [place].',
    tags: ['holiday'],
    user_metadata: { season: 'summer' },
    metrics: { duration_ns: 3_000_000_000 },
    spans: [
      {
        type: 'agent',
        name: 'travel agent',
        created_at: '2026-11-10T08:00:00.100Z',
        input: 'Where shall we go?',
        output: 'To the sea.',
        metrics: { duration_ns: 2_800_000_000 },
        spans: [
          {
            type: 'retriever',
            name: 'guides',
            created_at: '2026-11-10T08:00:00.200Z',
            input: 'sea',
            output: [{ content: 'The Baltic is calm.', metadata: { score: 0.87, source: 'guide.pdf' } }],
            metrics: { duration_ns: 300_000_000 },
          },
          {
            type: 'llm',
            name: 'answer',
            created_at: '2026-11-10T08:00:00.600Z',
            model: 'gpt-4.1-mini',
            temperature: 0.2,
            input: [
              { role: 'system', content: 'You plan trips.' },
              { role: 'user', content: [{ type: 'text', text: 'Where shall we go?' }] },
              {
                role: 'assistant',
                content: '',
                tool_calls: [{ id: 'call_1', function: { name: 'weather', arguments: '{"place":"Rostock"}' } }],
              },
              { role: 'tool', content: 'sunny', tool_call_id: 'call_1' },
            ],
            output: { role: 'assistant', content: 'To the sea.' },
            metrics: {
              duration_ns: 1_500_000_000,
              time_to_first_token_ns: 400_000_000,
              num_input_tokens: 120,
              num_output_tokens: 30,
              num_total_tokens: 150,
              cost: 0.0042,
            },
          },
          {
            type: 'tool',
            name: 'book',
            created_at: '2026-11-10T08:00:02.300Z',
            input: '{"hotel":"Strand"}',
            output: '',
            status_code: 503,
            user_metadata: { 'otel.status_message': 'the hotel does not answer' },
            metrics: { duration_ns: 250_000_000 },
          },
        ],
      },
    ],
  };
}
