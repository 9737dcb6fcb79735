import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Env } from '../config/env.ts';
import { CHART, computeChartDigest, RENDERINGS } from './golden/helm-chart.ts';

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  // biome-ignore lint/suspicious/noExplicitAny: resources of many kinds, of which single fields are looked at
  readonly spec: any;
}

const read = (name: string): string => readFileSync(join(import.meta.dirname, `golden/helm/${name}.yaml`), 'utf8');
const resourcesOf = (name: string): Resource[] =>
  parseAllDocuments(read(name)).flatMap((document) => {
    expect(document.errors).toEqual([]);
    const resource = document.toJS() as Resource | null;
    return resource ? [resource] : [];
  });
const kindsOf = (name: string): string[] => resourcesOf(name).map(({ kind }) => kind);
const podsOf = (name: string): Resource[] => resourcesOf(name).filter(({ spec }) => spec?.template);
const only = (name: string, kind: string, suffix = ''): Resource => {
  const found = resourcesOf(name).filter((one) => one.kind === kind && one.metadata.name.endsWith(suffix));
  expect(found).toHaveLength(1);
  return found[0]!;
};

describe.each(RENDERINGS)('the chart with $name values', ({ name }) => {
  it('was rendered as it is now: npm run helm:render', () => {
    expect(read(name).split('\n')[0]).toBe(`# chart ${computeChartDigest()}`);
  });

  it('gives no pod more rights than it needs', () => {
    for (const { spec } of podsOf(name)) {
      const pod = spec.template.spec;
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(pod.automountServiceAccountToken).toBe(false);
      for (const container of pod.containers) {
        const rights = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } };
        expect(container.securityContext).toEqual(rights);
        expect(container.resources.limits.memory).toBeDefined();
        expect(container.resources.requests.cpu).toBeDefined();
      }
    }
  });

  it('sets settings that the service knows, and none that is a secret', () => {
    const named = podsOf(name).flatMap(({ spec }) =>
      spec.template.spec.containers.flatMap((one: { env: { name: string }[] }) => one.env),
    );
    expect(named.length).toBeGreaterThan(5);
    for (const one of named) {
      expect(Object.keys(Env.shape)).toContain(one.name);
      expect(one.name).not.toMatch(/SECRET|PASSWORD|KEY|DATABASE_URL/);
    }
  });

  it('asks for readiness and liveness where the service says so, and lets a pod end in order', () => {
    const deployments = podsOf(name).filter(({ kind }) => kind === 'Deployment');
    expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['touchstone-api', 'touchstone-worker']);
    for (const { spec } of deployments) {
      const [container] = spec.template.spec.containers;
      expect([container.readinessProbe, container.livenessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
        '/readyz',
        '/healthz',
      ]);
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(25);
      expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
    }
  });

  it('selects the pods of each role, and sends requests to none but those that serve them', () => {
    for (const role of ['api', 'worker']) {
      const { spec } = only(name, 'Deployment', `-${role}`);
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
      expect(spec.template.spec.containers[0].env).toContainEqual({ name: 'ROLE', value: role });
      expect(only(name, 'PodDisruptionBudget', `-${role}`).spec.selector).toEqual(spec.selector);
    }
    expect(only(name, 'Service', 'touchstone').spec.selector).toEqual(only(name, 'Deployment', '-api').spec.selector.matchLabels);
  });

  it('brings the schema up to date before an upgrade by a program that is there', () => {
    const job = only(name, 'Job');
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-upgrade' });
    const [program, path] = job.spec.template.spec.containers[0].command;
    expect(program).toBe('node');
    expect(existsSync(join(import.meta.dirname, '..', path))).toBe(true);
  });
});

describe('the chart', () => {
  it('scales by processor time, and workers by jobs where that is asked for', () => {
    expect(kindsOf('default').filter((kind) => kind === 'HorizontalPodAutoscaler')).toHaveLength(1);
    expect(only('default', 'Deployment', '-api').spec.replicas).toBeUndefined();
    expect(only('default', 'Deployment', '-worker').spec.replicas).toBe(2);
    const [metric] = only('everything', 'HorizontalPodAutoscaler', '-worker').spec.metrics;
    expect(metric.external.metric.name).toBe('touchstone_scoring_jobs');
  });

  it('makes nothing of a kind that the cluster may lack unless it is asked for', () => {
    const further = ['Ingress', 'NetworkPolicy', 'PrometheusRule', 'ServiceMonitor'];
    expect(kindsOf('default').filter((kind) => further.includes(kind))).toEqual([]);
    expect(
      kindsOf('everything')
        .filter((kind) => further.includes(kind))
        .sort(),
    ).toEqual(further);
  });

  it('has the rules for Prometheus as they are shipped, for the job that it scrapes', () => {
    const rules = readFileSync(join(CHART, '../../prometheus/touchstone-rules.yml'), 'utf8');
    expect(readFileSync(join(CHART, 'files/touchstone-rules.yml'), 'utf8')).toBe(rules);
    expect(only('everything', 'PrometheusRule').spec.groups[0].rules.length).toBeGreaterThan(5);
    expect(only('everything', 'ServiceMonitor').spec.jobLabel).toBe('app.kubernetes.io/name');
  });
});
