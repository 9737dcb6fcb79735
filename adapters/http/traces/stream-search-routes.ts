import { StreamSearch, StreamSearchPage } from '../../../core/traces/read/stream-search.ts';
import type { StreamSearchService } from '../../../core/traces/read/stream-search-service.ts';
import { type Route, route } from '../route.ts';

export const streamSearchRoutes = ({ streamSearchService }: { streamSearchService: StreamSearchService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/search',
    operationId: 'searchText',
    summary: 'Find a text in the traces or spans of many log streams at once, the newest first.',
    tag: 'traces',
    body: StreamSearch,
    response: StreamSearchPage,
    handle: ({ caller, body }) => streamSearchService.search(caller, body),
  }),
];
