import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import type { ScorerKindPlugin } from '../../../core/plugin-sdk/index.ts';
import { type FileKind, isFileKind, pathsOf, type ScorerKinds } from '../../../core/scorers/kinds/scorer-kinds.ts';
import type { KindVersionService } from '../../../core/scorers/versions/kind-version-service.ts';
import { scorerVersionSchema } from '../../../core/scorers/versions/scorer-version.ts';
import { documentedVersion, NewKindVersion, VersionNumber } from '../../../core/scorers/versions/version-requests.ts';
import { requiredFile } from '../body/required-file.ts';
import { type Route, route } from '../route.ts';
import { pascal } from '../schema-names.ts';

const ScorerPath = z.object({ scorer_id: Id });
const OneVersion = z.object({ version: VersionNumber.optional() });
const FileParts = z.looseObject({
  /** With it, the code is not tried here. */
  validation_result: z.string().optional(),
  /** The trial that the version is made from: a `validation_id`, or a `metrics_experiment_id`. */
  validation_id: Id.optional(),
});
export const MAX_FILE_BYTES = 1024 * 1024;

interface Deps {
  readonly kindVersionService: KindVersionService;
  readonly scorerKinds: ScorerKinds;
}

/** Made of the kinds alone: installing one adds its route, and those it had before. */
export const kindVersionRoutes = ({ kindVersionService, scorerKinds }: Deps): Route[] =>
  scorerKinds.list().flatMap((plugin) => {
    const head = (path: string) => headOf(scorerKinds, plugin, path);
    const make = isFileKind(plugin) ? fileRoutes(kindVersionService, plugin, head) : bodyRoutes(kindVersionService, plugin, head);
    return pathsOf(plugin).flatMap(make);
  });

const headOf = (scorerKinds: ScorerKinds, plugin: ScorerKindPlugin, path: string) => ({
  path: `/v2/scorers/{scorer_id}/version/${path}`,
  operationId: `create${pascal(path)}Version`,
  summary: `Give a scorer of kind "${plugin.label}" its next version: ${plugin.summary}`,
  tag: 'scorers',
  deprecated: plugin.stability === 'deprecated',
  params: ScorerPath,
  response: scorerVersionSchema(scorerKinds),
});

type Head = (path: string) => ReturnType<typeof headOf>;

/** The definition is parsed by the service, once the scorer has completed it. */
function bodyRoutes(service: KindVersionService, plugin: ScorerKindPlugin, head: Head): (path: string) => Route[] {
  const documentedBody = documentedVersion(plugin).meta({ id: `New${pascal(plugin.former_paths?.[0] ?? plugin.id)}Version` });
  return (path) => [
    route({
      ...head(path),
      method: 'post',
      body: NewKindVersion,
      documentedBody,
      handle: ({ caller, params, body }) => service.add(caller, params.scorer_id, plugin, body),
    }),
  ];
}

function fileRoutes(service: KindVersionService, plugin: FileKind, head: Head): (path: string) => Route[] {
  const fields = plugin.upload.fields?.shape ?? {};
  return (path) => [
    route({
      ...head(path),
      method: 'post',
      bodyFormat: 'multipart',
      maxBodyBytes: MAX_FILE_BYTES,
      body: FileParts.extend(fields),
      handle: async ({ caller, params, body, file }) =>
        service.addFile(caller, params.scorer_id, plugin, requiredFile(file), body),
    }),
    route({
      ...head(path),
      method: 'get',
      operationId: `get${pascal(path)}`,
      summary: 'The source of a code version by number, or of the latest, as a JSON string.',
      query: OneVersion,
      response: z.string(),
      handle: ({ caller, params, query }) => service.getFile(caller, params.scorer_id, plugin, query.version),
    }),
  ];
}
