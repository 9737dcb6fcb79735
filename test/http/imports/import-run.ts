import { join } from 'node:path';
import { describeFailure } from '../../../cli/commands/command-error.ts';
import { buildProgram } from '../../../cli/commands/program.ts';
import type { ImportReport } from '../../../cli/imports/import-report.ts';
import type { StartedService } from '../../../testing/start-service.ts';

export const FIXTURES = join(import.meta.dirname, '../../fixtures/imports');

export interface ImportEnded {
  readonly code: number;
  readonly err: string;
  readonly report: ImportReport;
}

/** Runs `touchstone import` in this process, as the shell would, and returns its report. */
export async function runImport(service: StartedService, args: readonly string[]): Promise<ImportEnded> {
  const ended = { code: 0, out: '', err: '' };
  const terminal = {
    env: { PATH: process.env.PATH, SERVICE_URL: service.url, SERVICE_API_KEY: service.apiKey },
    out: (text: string) => {
      ended.out += text;
    },
    err: (text: string) => {
      ended.err += text;
    },
    isWatched: false,
  };
  const program = buildProgram(terminal, '1.2.3', (code) => {
    ended.code = code;
  });
  await program.parseAsync(['import', ...args, '--json'], { from: 'user' }).catch((error) => {
    ended.code = error.exitCode ?? 99;
    ended.err += describeFailure(error);
  });
  return { code: ended.code, err: ended.err, report: ended.out === '' ? ({} as ImportReport) : JSON.parse(ended.out) };
}

/** A record as the service gives it back. */
export interface Shown {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly spans: readonly Shown[];
  readonly metrics: Readonly<Record<string, unknown>>;
  readonly user_metadata: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** Everything an import has brought, read back by the public API. */
export class ImportedProject {
  readonly #service: StartedService;
  readonly project_id: string;
  readonly log_stream_id: string;

  private constructor(service: StartedService, project_id: string, log_stream_id: string) {
    this.#service = service;
    this.project_id = project_id;
    this.log_stream_id = log_stream_id;
  }

  static async open(service: StartedService, name: string): Promise<ImportedProject> {
    const { body } = await service.request('POST', '/v2/projects/paginated', {
      filters: [{ name: 'name', operator: 'eq', value: name }],
    });
    const { id } = (body as { projects: { id: string }[] }).projects[0]!;
    const streams = await service.request('GET', `/v2/projects/${id}/log_streams`);
    return new ImportedProject(service, id, (streams.body as { id: string }[])[0]!.id);
  }

  async traces(): Promise<Shown[]> {
    const found = await this.#search('traces');
    const trees = await Promise.all(found.map(({ id }) => this.#get<Shown>(`/v2/projects/${this.project_id}/traces/${id}`)));
    return trees.sort((one, other) => (String(one.created_at) < String(other.created_at) ? -1 : 1));
  }

  spans = (): Promise<Shown[]> => this.#search('spans');
  sessions = (): Promise<Shown[]> => this.#search('sessions');

  async rows(dataset: string): Promise<Readonly<Record<string, unknown>>[]> {
    const { body } = await this.#service.request('POST', '/v2/datasets/query', {
      filters: [{ name: 'name', operator: 'eq', value: dataset, case_sensitive: true }],
    });
    const [{ id }] = (body as { datasets: [{ id: string }] }).datasets;
    const content = await this.#get<{ rows: { values_dict: Record<string, unknown> }[] }>(`/v2/datasets/${id}/content`);
    return content.rows.map(({ values_dict }) => values_dict);
  }

  /** A version of a prompt by its label or number. */
  prompt = (name: string, wanted: string): Promise<Shown> =>
    this.#get(`/v2/projects/${this.project_id}/templates/versions?template_name=${encodeURIComponent(name)}&${wanted}`);

  async #search(level: string): Promise<Shown[]> {
    const path = `/v2/projects/${this.project_id}/${level}/search`;
    const { body } = await this.#service.request('POST', path, { log_stream_id: this.log_stream_id, limit: 1000 });
    return (body as { records: Shown[] }).records;
  }

  async #get<T>(path: string): Promise<T> {
    return (await this.#service.request('GET', path)).body as T;
  }
}

/** The tree as names, indented by depth. */
export const outline = (record: Shown, depth = 0): string[] => [
  `${'  '.repeat(depth)}${record.type} ${record.name}`,
  ...record.spans.flatMap((span) => outline(span, depth + 1)),
];
