import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Env } from '../config/env.ts';
import { RENDERINGS } from './golden/helm-chart.ts';
import { ADMIN, startTestServer, type TestServer } from './http/harness.ts';
import { findSchemaProblems } from './setup/kubernetes-schemas.ts';

const ROOT = join(import.meta.dirname, '..');
const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

const lint = (content: string) => validate(content).map(({ message }) => message);

describe('the Dockerfile', () => {
  const dockerfile = DockerfileParser.parse(DOCKERFILE);
  const instructions = dockerfile.getInstructions();
  const last = (keyword: string) =>
    instructions
      .findLast((one) => one.getKeyword() === keyword)
      ?.getArguments()
      .join(' ');
  const lastStage = instructions.slice(instructions.findLastIndex((one) => one.getKeyword() === 'FROM'));

  it('has no fault that the linter knows', () => {
    expect(lint(DOCKERFILE)).toEqual([]);
  });

  it.each([
    ['FROM node:24-slim\n', 'FROM\n'],
    ['USER node', 'USR node'],
    ['EXPOSE 8088 4317', 'EXPOSE 8o88'],
    ['--interval=10s', '--interval=10'],
    ['--interval=10s', '--intervall=10s'],
    ['COPY --from=dependencies', 'COPY --form=dependencies'],
    ['USER node', 'USER node\nCMD ["a"]'],
    ['COPY adapters ./adapters', 'COPY adapters'],
    ['HEALTHCHECK --interval', 'HEALTHCHECK --interval=1s --interval'],
    ['CMD ["node", "-e"', 'CMDD ["node", "-e"'],
    ['VOLUME /data', 'VOLUME'],
    ['AS console', 'AS dependencies'],
    ['ENV NODE_ENV=production HOST', 'ENV =production HOST'],
  ])('would be found wanting with a fault planted for %j', (sound, faulty) => {
    expect(DOCKERFILE).toContain(sound);
    expect(lint(DOCKERFILE.replace(sound, faulty))).not.toEqual([]);
  });

  it('copies what is there, from stages that are there', () => {
    const stages = instructions.flatMap((one) => /\bAS (\w+)$/i.exec(one.toString())?.[1] ?? []);
    for (const one of instructions.filter((each) => each.getKeyword() === 'COPY')) {
      const given = one
        .getArguments()
        .map(String)
        .filter((each) => !each.startsWith('--'));
      const from = /--from=(\w+)/.exec(one.toString())?.[1];
      if (from !== undefined) expect(stages).toContain(from);
      else for (const path of given.slice(0, -1)) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
    }
  });

  it('runs as a user without rights, and writes to its data folder alone', () => {
    expect(lastStage.filter((one) => one.getKeyword() === 'USER').map(String)).toEqual(['USER node']);
    const after = lastStage.slice(lastStage.findIndex((one) => one.getKeyword() === 'USER')).map((one) => one.getKeyword());
    expect(after).toEqual(['USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD']);
    expect(last('VOLUME')).toBe('/data');
    expect(last('ENV')).toContain('DATA_DIR=/data');
  });

  it('starts programs without a shell: their words are lists, which the linter does not look into', () => {
    const lists = DOCKERFILE.split('\n').flatMap((line) => /\bCMD (.*)$/.exec(line)?.[1] ?? []);
    expect(lists).toHaveLength(2);
    for (const list of lists) expect(JSON.parse(list)).toEqual(expect.arrayContaining([expect.any(String)]));
  });

  it('starts a program that is there, on the port that it exposes', () => {
    const program = /config\/[\w-]+\.ts|config\/[\w-]+\.js/.exec(last('CMD')!)![0];
    expect(existsSync(join(ROOT, program))).toBe(true);
    expect(last('EXPOSE')!.split(' ')).toContain(/PORT=(\d+)/.exec(last('ENV')!)![1]);
    expect(last('ENV')).toContain(`PORT=${Env.shape.PORT.parse(undefined)}`);
  });
});

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: resources of many kinds, of which single fields are changed
  readonly [field: string]: any;
}

const resourcesOf = (name: string): Resource[] =>
  parseAllDocuments(readFileSync(join(ROOT, `test/golden/helm/${name}.yaml`), 'utf8')).flatMap((document) => {
    const resource = document.toJS() as Resource | null;
    return resource ? [resource] : [];
  });

describe('the resources of the chart', () => {
  it.each(RENDERINGS)('keep to the schemas of Kubernetes and of the Prometheus operator with $name values', ({ name }) => {
    const resources = resourcesOf(name);
    expect(resources.length).toBeGreaterThan(7);
    for (const one of resources) expect([one.kind, findSchemaProblems(one)]).toEqual([one.kind, []]);
  });

  const first = (kind: string): Resource => structuredClone(resourcesOf('everything').find((one) => one.kind === kind)!);
  it.each<[string, string, unknown]>([
    ['Deployment', 'spec.replica', 2],
    ['Deployment', 'spec.replicas', 'two'],
    ['Deployment', 'spec.selector', undefined],
    ['Deployment', 'spec.template.spec.containers.0.readinesProbe', {}],
    ['Deployment', 'spec.template.spec.securityContext.runAsNonRoot', 'yes'],
    ['Service', 'spec.ports.0.port', 'http'],
    ['Job', 'spec.template.spec.containers', undefined],
    ['PodDisruptionBudget', 'spec.minAvailible', 1],
    ['HorizontalPodAutoscaler', 'spec.maxReplicas', undefined],
    ['HorizontalPodAutoscaler', 'apiVersion', 'autoscaling/v2beta2'],
    ['Ingress', 'spec.rules.0.http.paths.0.backend.service.port.numbr', 1],
    ['ServiceMonitor', 'spec.endpoints.0.intervall', '30s'],
    ['PrometheusRule', 'spec.groups.0.rules.0.expr', undefined],
  ])('would be found wanting: %s with %s %j', (kind, path, value) => {
    const resource = first(kind);
    const names = path.split('.');
    // biome-ignore lint/suspicious/noExplicitAny: a path through resources of many kinds
    const place = names.slice(0, -1).reduce((at: any, name) => at[name], resource);
    place[names.at(-1)!] = value;
    expect(findSchemaProblems(JSON.parse(JSON.stringify(resource)))).not.toEqual([]);
  });
});

describe('what they ask the service for', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());
  const get = (path: string, headers = {}) => fetch(`${server.url}${path}`, { headers });
  const all = resourcesOf('everything');
  const containers = all.flatMap(({ spec }) => spec?.template?.spec?.containers ?? []);

  it('is served where the image and the probes look', async () => {
    const paths = containers.flatMap((one) =>
      [one.readinessProbe, one.livenessProbe, one.startupProbe].flatMap((probe) => probe?.httpGet?.path ?? []),
    );
    const [checked] = /(?<=8088)\/\w+/.exec(DOCKERFILE)!;
    expect(new Set(paths).size).toBeGreaterThan(1);
    for (const path of [...paths, checked]) expect([path, (await get(path)).status]).toEqual([path, 200]);
  });

  it('is served to Prometheus as the ServiceMonitor asks, with the metric that workers are scaled by', async () => {
    const [endpoint] = all.find(({ kind }) => kind === 'ServiceMonitor')!.spec.endpoints;
    expect(endpoint.authorization.type).toBe('Bearer');
    const ports = all
      .filter(({ kind }) => kind === 'Service')
      .flatMap(({ spec }) => spec.ports.map(({ name }: { name: string }) => name));
    expect(ports).toContain(endpoint.port);
    const served = await get(endpoint.path, { authorization: `Bearer ${ADMIN.api_key}` });
    expect(served.status).toBe(200);
    const text = await served.text();
    const scaled = all.filter(({ kind }) => kind === 'HorizontalPodAutoscaler').flatMap(({ spec }) => spec.metrics);
    const names = scaled.flatMap(({ external }) => external?.metric.name ?? []);
    expect(names).toEqual(['touchstone_scoring_jobs']);
    for (const name of names) expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });
});
