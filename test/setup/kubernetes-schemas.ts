import * as monitoring from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';

interface Validated {
  validate(): void;
}
type ModelClass = new (resource: object) => Validated;

/** Resources of these versions of the API, by the schemas that Kubernetes and the Prometheus operator publish. */
const MODELS: Readonly<Record<string, object>> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'batch/v1': batch,
  'monitoring.coreos.com/v1': monitoring,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
};

/**
 * Returns what is wrong with a resource: a field of the wrong type, one that is missing, and one that the schema does not have, which a
 * cluster would drop or refuse. Of the last kind are fields that nobody asks for while the resource is checked.
 */
export function findSchemaProblems(resource: { readonly apiVersion: string; readonly kind: string }): string[] {
  const Model = (MODELS[resource.apiVersion] as Readonly<Record<string, ModelClass>> | undefined)?.[resource.kind];
  if (!Model) return [`there is no schema of ${resource.apiVersion} ${resource.kind}`];
  const asked = new Set<string>();
  const model = new Model(resource);
  try {
    Model.prototype.validate.call(noteReads(model, asked));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  return listPaths(resource).flatMap((path) => (asked.has(path) ? [] : [`${path} is not in the schema`]));
}

function noteReads<T extends object>(value: T, asked: Set<string>, path = ''): T {
  return new Proxy(value, {
    get: (target, name, receiver) => {
      const found: unknown = Reflect.get(target, name, receiver);
      if (typeof name !== 'string' || !Object.hasOwn(target, name)) return found;
      asked.add(`${path}/${name}`);
      return typeof found === 'object' && found !== null ? noteReads(found, asked, `${path}/${name}`) : found;
    },
  });
}

/** Paths of all fields, outer ones first; of one that the schema lacks, those below follow it. */
function listPaths(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, below]) => [`${path}/${name}`, ...listPaths(below, `${path}/${name}`)]);
}
