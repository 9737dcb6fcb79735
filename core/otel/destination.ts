import { toJsonText } from '../plugin-sdk/otel/json-text.ts';
import type { OtlpAttributes } from './spans/otlp-span.ts';

/** Reference of a sender to a project or a run. Names are looked up in this order: as sent, then without percent escapes. */
export type Reference = { readonly by: 'id'; readonly id: string } | { readonly by: 'name'; readonly names: readonly string[] };

export interface RunReference {
  readonly kind: 'log_stream' | 'experiment';
  readonly reference: Reference;
}

/** Where spans go. No project means the one the caller's key is for, no run the log stream `default`. */
export interface OtlpDestination {
  readonly project: Reference | undefined;
  readonly run: RunReference | undefined;
}

/** Headers as an HTTP server gives them: names in any case. */
export type OtlpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reference found in one place; empty where there is none. */
interface Told {
  readonly project: Reference | undefined;
  readonly run: RunReference | undefined;
}

/** Finds where spans go from the headers they came with; headers are read once for a request. */
export type DestinationOf = (resource: OtlpAttributes, span: OtlpAttributes) => OtlpDestination;

/**
 * The resource wins, because a collector sends the spans of many services under its own headers. Some SDKs put these
 * attributes on spans instead. Project and run are found apart; of one place an experiment wins over a log stream, and
 * an id over a name.
 */
export function destinations(headers: OtlpHeaders, ownPrefixes: readonly string[]): DestinationOf {
  const fromHeaders = toldByHeaders(headers);
  const names = attributeNames(ownPrefixes);
  const ofResources = new WeakMap<OtlpAttributes, { readonly told: Told; readonly silent: OtlpDestination }>();
  return (resource, span) => {
    const ofResource = ofResources.get(resource) ?? readResource(resource, names, fromHeaders);
    ofResources.set(resource, ofResource);
    // Of nearly all spans, which thus have the very same destination.
    if (!names.all.some((name) => span.has(name))) return ofResource.silent;
    return toDestination([ofResource.told, toldByAttributes(span, names), fromHeaders]);
  };
}

/** By what a destination is told, and the names of its attribute under each prefix. */
interface AttributeNames {
  readonly all: readonly string[];
  readonly by: ReadonlyMap<string, readonly string[]>;
}

const FACTS = ['project.id', 'project.name', 'logstream.id', 'logstream.name', 'experiment.id'];

function attributeNames(ownPrefixes: readonly string[]): AttributeNames {
  const by = new Map(FACTS.map((fact) => [fact, ownPrefixes.map((prefix) => prefix + fact)]));
  return { by, all: [...by.values()].flat() };
}

function readResource(resource: OtlpAttributes, names: AttributeNames, fromHeaders: Told) {
  const told = toldByAttributes(resource, names);
  return { told, silent: toDestination([told, fromHeaders]) };
}

const toDestination = (told: readonly Told[]): OtlpDestination => ({
  project: told.find(({ project }) => project)?.project,
  run: told.find(({ run }) => run)?.run,
});

function toldByAttributes(attributes: OtlpAttributes, { by }: AttributeNames): Told {
  const at = (name: string): string | undefined => {
    const key = by.get(name)?.find((candidate) => attributes.has(candidate));
    return key === undefined ? undefined : toJsonText(attributes.get(key) ?? '') || undefined;
  };
  const names = (text: string | undefined) => (text === undefined ? undefined : [text]);
  return told(at('project.id'), names(at('project.name')), at('logstream.id'), names(at('logstream.name')), at('experiment.id'));
}

function toldByHeaders(headers: OtlpHeaders): Told {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const at = (name: string): string | undefined => {
    const value = byName.get(name);
    return (typeof value === 'string' ? value : value?.[0])?.trim() || undefined;
  };
  const id = (name: string) => decoded(at(name));
  const names = (text: string | undefined) => (text === undefined ? undefined : [...new Set([text, decoded(text)!])]);
  return told(id('project-id'), names(at('project')), id('logstream-id'), names(at('logstream')), id('experimentid'));
}

type Names = readonly string[] | undefined;

function told(
  projectId: string | undefined,
  project: Names,
  streamId: string | undefined,
  stream: Names,
  experiment: string | undefined,
): Told {
  const run = experiment === undefined ? reference(streamId, stream) : reference(experiment, undefined);
  return {
    project: reference(projectId, project),
    run: run && { kind: experiment === undefined ? 'log_stream' : 'experiment', reference: run },
  };
}

function reference(id: string | undefined, names: Names): Reference | undefined {
  if (id !== undefined) return { by: 'id', id };
  return names && { by: 'name', names };
}

/** SDKs take headers from a percent-encoded list, and not all of them decode it. */
function decoded(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
