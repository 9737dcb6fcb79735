import { z } from 'zod';
import type { ColumnService } from '../../../core/columns/column-service.ts';
import { Id } from '../../../core/kernel/text.ts';
import type { TraceService } from '../../../core/traces/ingest/trace-service.ts';
import type { SearchService } from '../../../core/traces/read/search-service.ts';
import { StreamSearch } from '../../../core/traces/read/stream-search.ts';
import type { StreamSearchService } from '../../../core/traces/read/stream-search-service.ts';
import { type FilterTree, RecordFilter, RecordSearch, RecordSort } from '../../../core/traces/record-query.ts';
import { type Tool, tool } from '../tool.ts';
import { page, project_id, run } from './inputs.ts';
import { FIRST_ERROR_STATUS, summarize } from './summary.ts';
import { toCompactTree } from './trace-tree.ts';

interface Deps {
  readonly searchService: SearchService;
  readonly streamSearchService: StreamSearchService;
  readonly traceService: TraceService;
  readonly columnService: ColumnService;
}

const MAX_SPANS_SHOWN = 300;

const SearchText = z.object({
  text: StreamSearch.shape.text,
  project_id: project_id.optional().describe('Only this project; else all that can be read.'),
  record_type: z.enum(['trace', 'span']).default('trace').describe('Traces are found by what their spans say, too.'),
  parts_of_words: z.boolean().default(false).describe('Look inside of words, too; slower.'),
  limit: page.limit,
  cursor: z.string().optional().describe('next_cursor of the page before.'),
});

const FindTraces = z.object({
  project_id,
  ...run,
  text: z.string().min(1).max(1_000).optional().describe('Occurs in the input or the output; upper and lower case are alike.'),
  failed_only: z.boolean().default(false).describe('Only traces whose own status is an error (400 or more).'),
  filters: z
    .array(RecordFilter)
    .max(20)
    .default([])
    .describe('Conditions that all hold, on columns that list_columns names, such as metrics/<scorer> below 0.5.'),
  sort: RecordSort.optional().describe('Newest first by default.'),
  ...page,
});

/** Tools that read traces. */
export const traceTools = ({ searchService, streamSearchService, traceService, columnService }: Deps): Tool[] => [
  tool({
    name: 'find_traces',
    title: 'Find traces',
    description:
      'Traces of a log stream or an experiment by text, status, scores, cost, duration, metadata. Returns a summary of each; read_trace has the spans.',
    input: FindTraces,
    call: async (caller, { project_id, text, failed_only, ...search }) => {
      const wanted = RecordSearch.parse({ ...search, filter_tree: toTree(text, failed_only), truncate_fields: true });
      const found = await searchService.search(caller, project_id, 'trace', wanted);
      return { traces: found.records.map(summarize), next_starting_token: found.next_starting_token };
    },
  }),
  tool({
    name: 'search_text',
    title: 'Search a text everywhere',
    description:
      'Traces or spans of all log streams of one project or of all projects that say a text, newest first, with what stands around it. is_complete is false where some log streams were not searched.',
    input: SearchText,
    call: async (caller, { parts_of_words, ...search }) =>
      streamSearchService.search(caller, StreamSearch.parse({ ...search, match: parts_of_words ? 'part' : 'words' })),
  }),
  tool({
    name: 'read_trace',
    title: 'Read a trace',
    description: `A trace with its spans as a tree: inputs, outputs, durations, tokens, cost, scores with explanations. Shows up to ${MAX_SPANS_SHOWN} spans; give span_id to read on below one of them.`,
    input: z.object({ project_id, trace_id: Id, span_id: Id.optional().describe('Show only this span and what is below it.') }),
    call: async (caller, { project_id, trace_id, span_id }) => {
      const tree = span_id
        ? await traceService.getSpan(caller, project_id, span_id)
        : await traceService.getTrace(caller, project_id, trace_id);
      return toCompactTree(tree, MAX_SPANS_SHOWN);
    },
  }),
  tool({
    name: 'list_columns',
    title: 'List columns of traces',
    description: 'The columns that filters and sort of find_traces can name in a run, with their types and filter types.',
    input: z.object({ project_id, ...run }),
    call: async (caller, { project_id, ...query }) => {
      const { columns } = await columnService.list(caller, project_id, 'trace', query);
      return columns
        .filter(({ is_empty, filterable, sortable }) => !is_empty && (filterable || sortable))
        .map(({ id, label, data_type, filter_type, sortable }) => ({ id, label, data_type, filter_type, sortable }));
    },
  }),
];

function toTree(text: string | undefined, failed_only: boolean): FilterTree {
  const contains = (column_id: string): FilterTree => ({
    filter: { type: 'text', column_id, operator: 'contains', value: text!, case_sensitive: false },
  });
  const failed: FilterTree = {
    filter: { type: 'number', column_id: 'status_code', operator: 'gte', value: FIRST_ERROR_STATUS },
  };
  return {
    and: [...(text === undefined ? [] : [{ or: [contains('input'), contains('output')] }]), ...(failed_only ? [failed] : [])],
  };
}
