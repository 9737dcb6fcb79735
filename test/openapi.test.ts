import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OTLP_PATHS } from '../adapters/http/otel/otlp-openapi.ts';
import { type ApiDocument, toPythonOperations, toPythonStub } from '../cli/packaging/python-api.ts';
import { startTestServer, type TestServer } from './http/harness.ts';

type Json = Record<string, unknown>;
type Operations = Readonly<Record<string, { readonly operationId: string; readonly responses: Json }>>;

const GOLDEN = new URL('./golden/openapi.json', import.meta.url);

/** Operations of the interface specification that are served; each later capability adds its own. */
const SERVED = [
  'post /v2/projects/{project_id}/spans',
  'post /v2/projects/{project_id}/traces',
  'patch /v2/projects/{project_id}/log_streams/{log_stream_id}/metric_settings',
  'get /v2/scorers/{scorer_id}/version',
  'get /v2/projects/{project_id}/log_streams',
  'post /v2/projects/{project_id}/log_streams/{log_stream_id}/trends/widgets',
  'patch /v2/projects/{project_id}/runs/{run_id}/insights-settings',
];

describe('the OpenAPI document', () => {
  let server: TestServer;
  let document: { paths: Readonly<Record<string, Operations>>; components: { schemas: Json } };

  beforeAll(async () => {
    server = await startTestServer();
    const { body } = await server.request('GET', '/v2/openapi.json');
    document = body as typeof document;
  });
  afterAll(() => server.close());

  it('equals the reviewed one; "npm run openapi" writes it anew', () => {
    const golden = JSON.parse(readFileSync(GOLDEN, 'utf8')) as Json;
    expect(document).toEqual({ ...golden, info: (document as unknown as Json).info });
  });

  it('has its operations in the Python client; "npm run openapi" writes them anew', () => {
    const golden = JSON.parse(readFileSync(GOLDEN, 'utf8')) as ApiDocument;
    const read = (name: string) => readFileSync(new URL(`../clients/python/touchstone_client/${name}`, import.meta.url), 'utf8');
    expect(read('operations.py')).toBe(toPythonOperations(golden));
    expect(read('api.pyi')).toBe(toPythonStub(golden));
  });

  it('says of changes of datasets which headers they take and give, and that they may be refused for them', () => {
    const path = document.paths['/v2/datasets/{dataset_id}/content']!;
    expect(path.get).toMatchObject({ responses: { 200: { headers: { ETag: {} } } } });
    for (const method of ['patch', 'put'] as const)
      expect(path[method]).toMatchObject({
        parameters: expect.arrayContaining([expect.objectContaining({ name: 'If-Match', in: 'header', required: false })]),
        responses: { 204: { headers: { ETag: {} } }, 412: {}, 423: {} },
      });
  });

  it('names headers of versions, and refusals for them, with each operation that has them and with no other', () => {
    type Operation = { parameters?: { name: string; in: string }[]; responses: Record<string, { headers?: Json }> };
    const all = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map((one) => one as unknown as Operation & { operationId: string }),
    );
    const those = (has: (operation: Operation) => boolean): string[] =>
      all
        .filter(has)
        .map(({ operationId }) => operationId)
        .toSorted();
    const takes = (name: string) =>
      those(({ parameters }) => (parameters ?? []).some((one) => one.in === 'header' && one.name === name));
    const changes = ['editDatasetContent', 'replaceDatasetContent'];
    expect(takes('If-Match')).toEqual(changes);
    for (const status of ['412', '423']) expect(those(({ responses }) => status in responses)).toEqual(changes);
    const reads = ['findProjectTemplateVersion', 'getLabelledTemplateVersion'];
    expect(takes('If-None-Match')).toEqual(reads);
    const contents = ['getDatasetContent', 'getDatasetVersionContent', 'queryDatasetContent'];
    const tagged = those(({ responses }) => Object.values(responses).some(({ headers = {} }) => 'ETag' in headers));
    expect(tagged).toEqual([...changes, ...reads, ...contents].toSorted());
  });

  it('names every operation once', () => {
    const ids = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(ids.length).toBeGreaterThan(30);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has a schema for every reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      (match) => match[1]!,
    );
    expect(references.length).toBeGreaterThan(50);
    expect(references.filter((name) => !(name in document.components.schemas))).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('$defs');
  });

  it('says what each schema is, and not only its name', () => {
    const empty = Object.entries(document.components.schemas).filter(([name, schema]) => {
      const { $ref } = schema as { $ref?: string };
      return $ref === `#/components/schemas/${name}`;
    });
    expect(empty.map(([name]) => name)).toEqual([]);
  });

  it('has the paths of the specification that are served', () => {
    const paths = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    expect(SERVED.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('is not behind the routes that are mounted', () => {
    const routes = server.cradle.routes.map(({ method, path }) => `${method} ${path}`);
    const mounted = [...routes, ...OTLP_PATHS.map((path) => `post ${path}`)];
    const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    expect(documented.sort()).toEqual(mounted.sort());
  });
});
