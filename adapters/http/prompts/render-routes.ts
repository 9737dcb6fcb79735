import { z } from 'zod';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { InputStubRequest, RenderedTemplate, RenderRequest, type RenderService } from '../../../core/prompts/render-service.ts';
import { type Route, route } from '../route.ts';

const RenderedPage = z
  .object({ ...PageFields, rendered_templates: z.array(RenderedTemplate) })
  .meta({ id: 'RenderedTemplatePage' });

export const renderRoutes = ({ renderService }: { renderService: RenderService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/render_template',
    operationId: 'renderTemplate',
    summary: 'Show what comes of a template for rows of a dataset or for texts. A page ends after 8 MiB, too.',
    tag: 'templates',
    query: PageQuery,
    body: RenderRequest,
    response: RenderedPage,
    errors: [404],
    handle: ({ caller, query, body }) => renderService.render(caller, body, query),
  }),
  route({
    method: 'post',
    path: '/v2/input_stub',
    operationId: 'inputStub',
    summary: 'A sample value for each variable of some templates.',
    tag: 'templates',
    body: InputStubRequest,
    response: z.looseObject({}).meta({ id: 'InputStub' }),
    handle: async ({ body }) => ({ ...renderService.stub(body.templates) }),
  }),
];
