import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { FacetPage, FacetSearch } from '../../../core/traces/read/facet.ts';
import type { FacetService } from '../../../core/traces/read/facet-service.ts';
import { type Route, route } from '../route.ts';

const MAX_BYTES = 1024 * 1024;

export const facetRoutes = ({ facetService }: { facetService: FacetService }): Route[] =>
  (['trace', 'span'] as const).map((level) =>
    route({
      method: 'post',
      path: `/v2/projects/{project_id}/${level}s/facets`,
      operationId: `count${level === 'trace' ? 'Trace' : 'Span'}Facets`,
      summary: `Count the most frequent values of columns over the ${level}s of a run that meet filters.`,
      tag: 'traces',
      params: z.object({ project_id: Id }),
      maxBodyBytes: MAX_BYTES,
      body: FacetSearch,
      response: FacetPage,
      handle: ({ caller, params, body }) => facetService.count(caller, params.project_id, level, body),
    }),
  );
