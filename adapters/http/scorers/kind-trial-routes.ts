import { z } from 'zod';
import { TRIAL_GROUNDS, type TrialGround } from '../../../core/plugin-sdk/index.ts';
import { type FileKind, isFileKind, type ScorerKinds } from '../../../core/scorers/kinds/scorer-kinds.ts';
import {
  KindTrial,
  RecordTrialForm,
  RowsOfDataset,
  RowTrialForm,
  SampleForm,
  triedIn,
} from '../../../core/scorers/validation/requests.ts';
import type { TrialService } from '../../../core/scorers/validation/trial-service.ts';
import type { ValidationService } from '../../../core/scorers/validation/validation-service.ts';
import type { KindVersionService } from '../../../core/scorers/versions/kind-version-service.ts';
import { RecordSearch } from '../../../core/traces/record-query.ts';
import { requiredFile } from '../body/required-file.ts';
import { type Route, type RouteInput, route } from '../route.ts';
import { getNames } from './kind-names.ts';
import { MAX_FILE_BYTES } from './kind-version-routes.ts';
import { taskRoute } from './validation-routes.ts';

const text = z.string().optional();
const candidate = { file: z.string().meta({ format: 'binary' }), required_scorers: text, scoreable_node_types: text };
const slice = { limit: text, starting_token: text };
const DocumentedSamples = z.object({ ...candidate, test_input: text, test_output: text });
const DocumentedRecords = z.object({
  ...candidate,
  ...slice,
  log_stream_id: text,
  experiment_id: text,
  filters: text,
  sort: text,
});
const DocumentedRows = z.object({
  ...candidate,
  ...slice,
  dataset_id: z.string(),
  dataset_version_index: text,
  score_type: text,
  project_id: text,
});

const StartedTrial = z.object({ metrics_experiment_id: z.string(), project_id: z.string() }).meta({ id: 'StartedTrial' });

interface Deps {
  readonly validationService: ValidationService;
  readonly trialService: TrialService;
  readonly kindVersionService: KindVersionService;
  readonly scorerKinds: ScorerKinds;
}

type Kind = ReturnType<ScorerKinds['list']>[number];
type Input<B> = Omit<RouteInput, 'body'> & { readonly body: B };

const ENDINGS: Readonly<Record<TrialGround, readonly [path: string, operation: string, summary: string]>> = {
  samples: ['', '', 'on one record of each type that it scores; the result is polled.'],
  records: ['/log_record', 'OnRecords', 'on records of a log stream or experiment, copied into a metrics-testing run.'],
  rows: ['/dataset', 'OnDataset', 'on rows of a dataset, in a metrics-testing run.'],
};

/** Trials of the definitions of each kind, on what it can be tried on. */
export const kindTrialRoutes = (deps: Deps): Route[] =>
  deps.scorerKinds.list().flatMap((plugin) => {
    const grounds = plugin.trial?.on ?? TRIAL_GROUNDS;
    const routes = isFileKind(plugin) ? fileRoute(deps, plugin) : bodyRoute(deps, plugin);
    return getNames(plugin).flatMap(([path, name]) => [
      ...grounds.map((ground) => routes(ground, headOf(plugin, ground, path, name))),
      ...(grounds.includes('samples')
        ? [taskRoute(deps.validationService, `/v2/scorers/${path}/validate/{task_id}`, `get${name}Validation`)]
        : []),
    ]);
  });

function headOf({ label }: Kind, ground: TrialGround, path: string, name: string) {
  const [ending, operation, summary] = ENDINGS[ground];
  return {
    method: 'post' as const,
    path: `/v2/scorers/${path}/validate${ending}`,
    operationId: `validate${name}${operation}`,
    summary: `Try a scorer of kind "${label}" ${summary}`,
    tag: 'scorers',
  };
}
type Head = ReturnType<typeof headOf>;

function fileRoute(deps: Deps, plugin: FileKind): (ground: TrialGround, head: Head) => Route {
  const { validationService, trialService, kindVersionService } = deps;
  // Fields that the kind adds go to the kind alone: the compiler need not know of it.
  const withFields = <S extends z.ZodObject>(form: S): S => form.extend(plugin.upload.fields?.shape ?? {}) as unknown as S;
  const tried = <B extends object>({ body, file }: Input<B>) => ({
    ...body,
    definition: kindVersionService.definitionIn(plugin, requiredFile(file), body as Record<string, unknown>),
  });
  const form = { bodyFormat: 'multipart', maxBodyBytes: MAX_FILE_BYTES } as const;
  return (ground, head) => {
    if (ground === 'samples')
      return route({
        ...head,
        ...form,
        body: withFields(SampleForm),
        documentedBody: withFields(DocumentedSamples),
        response: z.object({ task_id: z.string() }),
        handle: async (input) => {
          const { test_input, test_output, ...sent } = tried(input);
          const task_id = await validationService.try(input.caller, plugin, { ...sent, input: test_input, output: test_output });
          return { task_id };
        },
      });
    if (ground === 'records')
      return route({
        ...head,
        ...form,
        body: withFields(RecordTrialForm),
        documentedBody: withFields(DocumentedRecords),
        response: StartedTrial,
        handle: async (input) => {
          const { filters, ...search } = input.body;
          return trialService.tryOnRecords(input.caller, { ...search, filters: filters ?? [] }, plugin, tried(input));
        },
      });
    return route({
      ...head,
      ...form,
      body: withFields(RowTrialForm),
      documentedBody: withFields(DocumentedRows),
      response: StartedTrial,
      handle: async (input) => trialService.tryOnRows(input.caller, input.body, plugin, tried(input)),
    });
  };
}

function bodyRoute({ validationService, trialService }: Deps, plugin: Kind): (ground: TrialGround, head: Head) => Route {
  const own = plugin.trial?.body;
  const body = own ?? KindTrial;
  const documented = own ?? KindTrial.extend({ definition: plugin.definition });
  const field = plugin.trial?.task_field ?? 'task_id';
  const readTried = (sent: object) => triedIn(plugin, sent as Record<string, unknown>);
  return (ground, head) => {
    if (ground === 'samples')
      return route({
        ...head,
        body,
        documentedBody: documented,
        response: z.object({ [field]: z.string() }).meta({ id: field === 'task_id' ? 'StartedTrialTask' : 'StartedTask' }),
        handle: async ({ caller, body }) => ({ [field]: await validationService.try(caller, plugin, readTried(body)) }),
      });
    if (ground === 'records')
      return route({
        ...head,
        body: RecordSearch.extend(body.shape).loose(),
        documentedBody: RecordSearch.extend(documented.shape)
          .loose()
          .meta({ id: own ? `RecordJudgeTrial` : `Record${head.operationId}` }),
        response: StartedTrial,
        handle: ({ caller, body }) =>
          trialService.tryOnRecords(caller, RecordSearch.parse(body), plugin, readTried(withoutFields(body, SEARCH_FIELDS))),
      });
    return route({
      ...head,
      body: RowsOfDataset.extend(body.shape).loose(),
      documentedBody: RowsOfDataset.extend(documented.shape),
      response: StartedTrial,
      handle: ({ caller, body }) =>
        trialService.tryOnRows(caller, RowsOfDataset.parse(body), plugin, readTried(withoutFields(body, ROW_FIELDS))),
    });
  };
}

const SEARCH_FIELDS = Object.keys(RecordSearch.shape);
const ROW_FIELDS = Object.keys(RowsOfDataset.shape);

/** Returns the fields of a body that describe the candidate: all that is not about its trial records. */
const withoutFields = (body: object, fields: readonly string[]): object =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !fields.includes(name)));
