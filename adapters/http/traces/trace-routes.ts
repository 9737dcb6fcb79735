import { z } from 'zod';
import { GivenObject } from '../../../core/kernel/given-object.ts';
import { PageFields } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { asMapByPresetName } from '../../../core/kernel/vocabulary.ts';
import type { IngestBatchService } from '../../../core/traces/batches/ingest-batch-service.ts';
import {
  DocumentedSpans,
  DocumentedSpanUpdate,
  DocumentedTraces,
  DocumentedTraceUpdate,
  NewSpans,
  NewTraces,
  SpanUpdate,
  TraceUpdate,
} from '../../../core/traces/ingest/ingest-schema.ts';
import type { TraceService } from '../../../core/traces/ingest/trace-service.ts';
import { CountRequest, PartialSearchRequest, QueryEstimate, SearchRequest } from '../../../core/traces/read/query-cost.ts';
import type { SearchService } from '../../../core/traces/read/search-service.ts';
import { type Route, route } from '../route.ts';
import { carriedOutOnce, ONCE } from './idempotency-key.ts';

export const ProjectPath = z.object({ project_id: Id });
const TracePath = z.object({ project_id: Id, trace_id: Id });
const SpanPath = z.object({ project_id: Id, span_id: Id });

/** Choices of whoever reads a record. */
export const FileAddressQuery = z.object({
  include_presigned_urls: z.stringbool().default(false).describe('Give the files of records an address to read them from.'),
});

/** A filter tree of many megabytes would keep the process busy for seconds before it is refused. */
export const MAX_SEARCH_BYTES = 1024 * 1024;

const destination = {
  project_id: z.string(),
  project_name: z.string(),
  log_stream_id: z.string().nullable(),
  experiment_id: z.string().nullable(),
  metrics_testing_id: z.string().nullable(),
  session_id: z.string().nullable(),
  records_count: z.int(),
};
const RefusedTrace = z
  .object({
    index: z.int(),
    issues: z
      .array(z.object({ loc: z.array(z.union([z.string(), z.int()])).readonly(), msg: z.string(), type: z.string() }))
      .readonly(),
  })
  .meta({ id: 'RefusedTrace' });
const LoggedTraces = z
  .object({
    ...destination,
    traces_count: z.int(),
    spans_count: z.int(),
    trace_ids: z.array(z.string()),
    refused: z.array(RefusedTrace).optional(),
  })
  .meta({ id: 'LoggedTraces' });
const LoggedSpans = z.object({ ...destination, trace_id: z.string(), parent_id: z.string() }).meta({ id: 'LoggedSpans' });
const UpdatedTrace = z.object({ ...destination, trace_id: z.string() }).meta({ id: 'UpdatedTrace' });
const UpdatedSpan = z.object({ ...destination, span_id: z.string() }).meta({ id: 'UpdatedSpan' });

/** A stored trace or span; more fields by type. */
const StoredRecord = z
  .looseObject({
    id: z.string(),
    type: z.string(),
    name: z.string(),
    project_id: z.string(),
    run_id: z.string(),
    trace_id: z.string(),
    parent_id: z.string().nullable(),
    session_id: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    is_complete: z.boolean(),
    has_children: z.boolean(),
    metrics: GivenObject,
    metric_info: asMapByPresetName(GivenObject),
  })
  .meta({ id: 'StoredRecord' });
/** A span below, with the same fields. */
const SpanTree = z
  .looseObject({
    metric_info: asMapByPresetName(GivenObject).optional(),
    get spans(): z.ZodOptional<z.ZodArray<z.ZodType>> {
      return z.array(SpanTree).optional();
    },
  })
  .meta({ id: 'SpanTree' });
export const RecordTree = StoredRecord.extend({ spans: z.array(SpanTree) }).meta({ id: 'RecordTree' });
const RecordPage = z
  .object({
    ...PageFields,
    last_row_id: z.string().nullable(),
    records: z.array(StoredRecord),
    estimate: QueryEstimate.optional(),
  })
  .meta({ id: 'RecordPage' });
export const PartialRecordPage = z
  .object({
    ...PageFields,
    last_row_id: z.string().nullable(),
    records: z.array(z.looseObject({ id: z.string(), type: z.string(), metric_info: asMapByPresetName(GivenObject).optional() })),
    estimate: QueryEstimate.optional(),
  })
  .meta({ id: 'PartialRecordPage' });
export const Count = z.object({ total_count: z.int(), estimate: QueryEstimate.optional() }).meta({ id: 'Count' });

const LoggingQuery = z.object({
  per_item: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true`: store the traces that are valid and name the others under `refused`; else all are stored, or none.'),
});

type Logging = { readonly traceService: TraceService; readonly ingestBatchService: IngestBatchService };

const logging = ({ traceService, ingestBatchService }: Logging): Route[] => [
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/traces',
    operationId: 'logTraces',
    holdsRecords: true,
    summary: 'Log traces with their spans; answered once they are durable.',
    tag: 'traces',
    params: ProjectPath,
    query: LoggingQuery,
    body: NewTraces,
    documentedBody: DocumentedTraces,
    response: LoggedTraces,
    ...ONCE,
    handle: (input) =>
      carriedOutOnce(ingestBatchService, `logTraces ${input.query.per_item ?? 'false'}`, input, (identity) => {
        const how = { identity, per_item: input.query.per_item === 'true' };
        return traceService.logTraces(input.caller, input.params.project_id, input.body, how);
      }),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/spans',
    operationId: 'logSpans',
    holdsRecords: true,
    summary: 'Log spans under an existing trace or span.',
    tag: 'traces',
    params: ProjectPath,
    body: NewSpans,
    documentedBody: DocumentedSpans,
    response: LoggedSpans,
    ...ONCE,
    handle: (input) =>
      carriedOutOnce(ingestBatchService, 'logSpans', input, (identity) =>
        traceService.logSpans(input.caller, input.params.project_id, input.body, identity),
      ),
  }),
  route({
    method: 'patch',
    path: '/v2/projects/{project_id}/traces/{trace_id}',
    operationId: 'updateTrace',
    holdsRecords: true,
    summary: 'Change or complete a trace; absent fields stay as they are, tags are added.',
    tag: 'traces',
    params: TracePath,
    body: TraceUpdate,
    documentedBody: DocumentedTraceUpdate,
    response: UpdatedTrace,
    handle: ({ caller, params, body }) => traceService.updateTrace(caller, params.project_id, params.trace_id, body),
  }),
  route({
    method: 'patch',
    path: '/v2/projects/{project_id}/spans/{span_id}',
    operationId: 'updateSpan',
    holdsRecords: true,
    summary: 'Change a span; absent fields stay as they are, tags are added.',
    tag: 'traces',
    params: SpanPath,
    body: SpanUpdate,
    documentedBody: DocumentedSpanUpdate,
    response: UpdatedSpan,
    handle: ({ caller, params, body }) => traceService.updateSpan(caller, params.project_id, params.span_id, body),
  }),
];

const reading = ({ traceService, searchService }: { traceService: TraceService; searchService: SearchService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/traces/{trace_id}',
    operationId: 'getTrace',
    summary: 'A trace with its spans as a tree, and the scores of each.',
    tag: 'traces',
    bulk: true,
    params: TracePath,
    query: FileAddressQuery,
    response: RecordTree,
    handle: ({ caller, params, query }) =>
      traceService.getTrace(caller, params.project_id, params.trace_id, query) as Promise<never>,
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/spans/{span_id}',
    operationId: 'getSpan',
    summary: 'A span with the spans below it as a tree, and the scores of each.',
    tag: 'traces',
    bulk: true,
    params: SpanPath,
    query: FileAddressQuery,
    response: RecordTree,
    handle: ({ caller, params, query }) =>
      traceService.getSpan(caller, params.project_id, params.span_id, query) as Promise<never>,
  }),
  ...(['trace', 'span'] as const).flatMap((level) => [
    route({
      method: 'post',
      path: `/v2/projects/{project_id}/${level}s/search`,
      operationId: `search${level === 'trace' ? 'Traces' : 'Spans'}`,
      summary: `Find ${level}s of a run by filters, sorted, page by page. A page ends after 8 MiB, too.`,
      tag: 'traces',
      bulk: true,
      params: ProjectPath,
      maxBodyBytes: MAX_SEARCH_BYTES,
      body: SearchRequest,
      response: RecordPage,
      handle: ({ caller, params, body }) => searchService.search(caller, params.project_id, level, body) as Promise<never>,
    }),
    route({
      method: 'post',
      path: `/v2/projects/{project_id}/${level}s/partial_search`,
      operationId: `search${level === 'trace' ? 'Traces' : 'Spans'}Partly`,
      summary: `Find ${level}s of a run likewise, with the selected columns only.`,
      tag: 'traces',
      bulk: true,
      params: ProjectPath,
      maxBodyBytes: MAX_SEARCH_BYTES,
      body: PartialSearchRequest,
      response: PartialRecordPage,
      handle: ({ caller, params, body }) => searchService.searchPartly(caller, params.project_id, level, body) as Promise<never>,
    }),
    route({
      method: 'post',
      path: `/v2/projects/{project_id}/${level}s/count`,
      operationId: `count${level === 'trace' ? 'Traces' : 'Spans'}`,
      summary: `Count ${level}s of a run by filters.`,
      tag: 'traces',
      params: ProjectPath,
      maxBodyBytes: MAX_SEARCH_BYTES,
      body: CountRequest,
      response: Count,
      handle: ({ caller, params, body }) => searchService.count(caller, params.project_id, level, body),
    }),
  ]),
];

export const traceRoutes = (deps: Logging & { searchService: SearchService }): Route[] => [...logging(deps), ...reading(deps)];
