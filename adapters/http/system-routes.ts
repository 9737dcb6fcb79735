import { z } from 'zod';
import { type Route, route } from './route.ts';

const Healthcheck = z.object({ api_version: z.string(), message: z.string(), version: z.string() }).meta({ id: 'Healthcheck' });

export const systemRoutes = ({ version }: { version: string }): Route[] => [
  route({
    method: 'get',
    path: '/v2/healthcheck',
    operationId: 'healthcheck',
    summary: 'Say that the service is there; clients ask before they log in.',
    tag: 'system',
    auth: 'none',
    response: Healthcheck,
    handle: async () => ({ api_version: 'v2', message: 'ok', version }),
  }),
];
