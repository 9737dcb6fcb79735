import type { TraceNode } from './steps/step.ts';

/** A record for tests, with as much in it as they look at. */
export const toNode = (id: string, fields: Partial<Record<string, unknown>>): TraceNode =>
  ({
    id,
    type: 'llm',
    name: id,
    created_at: '2026-11-10T08:00:00.000Z',
    status_code: null,
    input: '',
    output: null,
    tags: [],
    metrics: {},
    metric_info: {},
    is_complete: true,
    spans: [],
    ...fields,
  }) as unknown as TraceNode;
