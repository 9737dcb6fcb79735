import type { Ids, Row } from '../row.ts';

const search = ({ log_stream_id, previous_last_row_id }: Ids) => ({ log_stream_id, previous_last_row_id });

export const TRACES: readonly Row[] = [
  {
    operation: 'logTraces',
    on: 'project',
    needs: 'editor',
    body: ({ log_stream_id, session_id, record_id }) => ({
      log_stream_id,
      session_id,
      traces: [{ id: record_id, input: 'a new trace' }],
    }),
    // Sessions and records are known within their run: the same id elsewhere is another thing.
    mixed: { log_stream_id: 404, session_id: 200, record_id: 200 },
    late: ['record_id'],
  },
  {
    operation: 'logSpans',
    on: 'project',
    needs: 'editor',
    body: ({ log_stream_id, trace_id, parent_id, record_id }) => ({
      log_stream_id,
      trace_id,
      parent_id,
      spans: [{ type: 'workflow', id: record_id, input: 'a new span' }],
    }),
    mixed: { log_stream_id: 404, trace_id: 404, parent_id: 404, record_id: 200 },
    late: ['record_id'],
  },
  {
    operation: 'updateTrace',
    on: 'project',
    needs: 'editor',
    body: ({ log_stream_id }) => ({ log_stream_id, output: 'changed' }),
    mixed: { log_stream_id: 404, trace_id: 404 },
  },
  {
    operation: 'updateSpan',
    on: 'project',
    needs: 'editor',
    body: ({ log_stream_id }) => ({ log_stream_id, output: 'changed' }),
    mixed: { log_stream_id: 404, span_id: 404 },
  },
  // The fixture's batch has the id of its trace as its key.
  {
    operation: 'getIngestBatch',
    on: 'project',
    needs: 'viewer',
    path: { key: 'trace_id' },
    mixed: { trace_id: 404 },
    words: ['trace_id'],
    reads: true,
  },
  { operation: 'getTrace', on: 'project', needs: 'viewer', mixed: { trace_id: 404 } },
  { operation: 'getSpan', on: 'project', needs: 'viewer', mixed: { span_id: 404 } },
  {
    operation: 'searchTraces',
    on: 'project',
    needs: 'viewer',
    body: search,
    mixed: { log_stream_id: 404, previous_last_row_id: 200 },
    reads: true,
  },
  {
    operation: 'searchSpans',
    on: 'project',
    needs: 'viewer',
    body: search,
    mixed: { log_stream_id: 404, previous_last_row_id: 200 },
    reads: true,
  },
  {
    operation: 'searchTraces',
    variant: 'by id',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id, trace_id }) => ({
      log_stream_id,
      filters: [{ type: 'id', column_id: 'id', operator: 'eq', value: trace_id }],
    }),
    mixed: { log_stream_id: 404, trace_id: 200 },
    reads: true,
  },
  {
    operation: 'countTraces',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id }) => ({ log_stream_id }),
    mixed: { log_stream_id: 404 },
  },
  {
    operation: 'countTraceFacets',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id }) => ({ log_stream_id, column_ids: ['name'] }),
    mixed: { log_stream_id: 404 },
  },
  {
    operation: 'countSpanFacets',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id }) => ({ log_stream_id, column_ids: ['name'] }),
    mixed: { log_stream_id: 404 },
  },
  {
    operation: 'countSpans',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id }) => ({ log_stream_id }),
    mixed: { log_stream_id: 404 },
  },
];

export const SESSIONS: readonly Row[] = [
  {
    operation: 'createSession',
    on: 'project',
    needs: 'editor',
    body: ({ log_stream_id, session_id }) => ({ log_stream_id, previous_session_id: session_id }),
    mixed: { log_stream_id: 404, session_id: 422 },
  },
  {
    operation: 'searchSessions',
    on: 'project',
    needs: 'viewer',
    body: search,
    mixed: { log_stream_id: 404, previous_last_row_id: 200 },
    reads: true,
  },
  {
    operation: 'searchSessionsPartly',
    on: 'project',
    needs: 'viewer',
    body: (ids) => ({ ...search(ids), select_columns: { column_ids: ['name'] } }),
    mixed: { log_stream_id: 404, previous_last_row_id: 200 },
    reads: true,
  },
  {
    operation: 'countSessions',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id }) => ({ log_stream_id }),
    mixed: { log_stream_id: 404 },
  },
  {
    operation: 'deleteSessions',
    on: 'project',
    needs: 'editor',
    body: ({ log_stream_id, session_id }) => ({
      log_stream_id,
      filters: [{ type: 'id', column_id: 'id', operator: 'eq', value: session_id }],
    }),
    mixed: { log_stream_id: 404, session_id: 200 },
  },
  { operation: 'getSession', on: 'project', needs: 'viewer', mixed: { session_id: 404 } },
];

const selecting = (ids: Ids) => ({ ...search(ids), select_columns: { column_ids: ['name', 'input'] } });
const ofStream = ({ log_stream_id }: Ids) => ({ log_stream_id });

export const COLUMNS: readonly Row[] = [
  ...['searchTracesPartly', 'searchSpansPartly'].map(
    (operation): Row => ({
      operation,
      on: 'project',
      needs: 'viewer',
      body: selecting,
      mixed: { log_stream_id: 404, previous_last_row_id: 200 },
      reads: true,
    }),
  ),
  ...['listTraceColumns', 'listSpanColumns', 'listSessionColumns'].map(
    (operation): Row => ({ operation, on: 'project', needs: 'viewer', body: ofStream, mixed: { log_stream_id: 404 } }),
  ),
  {
    operation: 'listMetricsTestingColumns',
    on: 'project',
    needs: 'viewer',
    body: (ids) => ({ ...ofStream(ids), name: 'on trial' }),
    mixed: { log_stream_id: 404 },
  },
];

export const MANY_RECORDS: readonly Row[] = [
  ...(['deleteTraces', 'deleteSpans'] as const).map(
    (operation): Row => ({
      operation,
      on: 'project',
      needs: 'editor',
      body: ({ log_stream_id }) => ({ log_stream_id }),
      mixed: { log_stream_id: 404 },
    }),
  ),
  {
    operation: 'exportRecords',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id }) => ({ log_stream_id, root_type: 'trace' }),
    mixed: { log_stream_id: 404 },
  },
  {
    operation: 'aggregateTraces',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id }) => ({ log_stream_id }),
    mixed: { log_stream_id: 404 },
  },
  {
    operation: 'searchMetrics',
    on: 'project',
    needs: 'viewer',
    body: ({ log_stream_id }) => ({ log_stream_id, start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-01T01:00:00Z' }),
    mixed: { log_stream_id: 404 },
  },
  ...(['recomputeMetrics', 'recomputeMetricsByOtherName'] as const).map(
    (operation): Row => ({
      operation,
      on: 'project',
      needs: 'editor',
      body: ({ log_stream_id, scorer_id }) => ({ log_stream_id, scorer_ids: [scorer_id] }),
      // Whoever may ask is told that the scorer is not enabled.
      ok: 422,
      mixed: { log_stream_id: 404, scorer_id: 422 },
    }),
  ),
  {
    operation: 'recomputeCosts',
    on: 'project',
    needs: 'editor',
    body: ({ log_stream_id }) => ({ log_stream_id }),
    mixed: { log_stream_id: 404 },
  },
  { operation: 'getProjectRetention', on: 'project', needs: 'viewer' },
  { operation: 'setProjectRetention', on: 'project', needs: 'editor', body: () => ({ days: 30 }) },
  { operation: 'previewProjectRetention', on: 'project', needs: 'viewer' },
  { operation: 'getLogStreamRetention', on: 'project', needs: 'viewer', mixed: { log_stream_id: 404 } },
  {
    operation: 'setLogStreamRetention',
    on: 'project',
    needs: 'editor',
    body: () => ({ days: 30 }),
    mixed: { log_stream_id: 404 },
  },
  { operation: 'previewLogStreamRetention', on: 'project', needs: 'viewer', mixed: { log_stream_id: 404 } },
];
