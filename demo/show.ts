import type { Api } from './api.ts';
import { enableScorers, ensureScorers, SCORERS } from './demo-scorers.ts';
import { type Paint, report } from './report.ts';
import { type Application, ingest } from './sample.ts';
import { type Scores, type Stream, scored, waitForScores } from './scores.ts';

export const PROJECT = 'Touchstone demo';

export interface Shown {
  readonly project_id: string;
  /** A trace worth opening: the first with a tool call. */
  readonly trace_id: string;
  readonly pending: number;
}

export interface ShowOptions {
  readonly print: (text: string) => void;
  readonly paint: Paint;
  readonly waitMs: number;
  readonly pauseMs?: number;
}

/** Sends the sample, waits for its scores and prints them. A second run finds everything in place and changes nothing. */
export async function show(api: Api, sample: readonly Application[], options: ShowOptions): Promise<Shown> {
  const { print, paint } = options;
  const project_id = await ensureProject(api, PROJECT);
  const scorer_ids = await ensureScorers(api);
  print(`project "${PROJECT}", scorers ${SCORERS.map(({ name }) => name).join(', ')}`);

  const streams: (Stream & { name: string })[] = [];
  for (const { log_stream, traces } of sample) {
    const id = await ensureLogStream(api, project_id, log_stream);
    // Before the traces arrive: a record is scored by what is switched on when it comes.
    await enableScorers(api, project_id, id, scorer_ids);
    const records = await ingest(api, project_id, id, traces);
    streams.push({ id, name: log_stream, traces });
    print(`log stream "${log_stream}": ${traces.length} traces, ${records} records accepted`);
  }

  const wanted = streams.flatMap(({ traces }) => traces.flatMap(scored));
  print(`waiting for ${wanted.length} scores …`);
  const scores = await waitForScores(api, project_id, streams, options.waitMs, options.pauseMs);
  for (const { name, traces } of streams) print(`\n${paint('bold', name)}\n${report(traces, scores, paint)}`);
  const pending = summary(scores, options);
  return { project_id, trace_id: openable(sample), pending };
}

function summary(scores: Scores, { print, paint, waitMs }: ShowOptions): number {
  const all = [...scores.values()];
  const count = (state: string) => all.filter((score) => score.state === state).length;
  const [pending, failed] = [count('pending'), count('failed')];
  print(`\n${all.length} scores: ${count('success')} given, ${failed} failed, ${pending} pending`);
  const reasons = new Set(all.flatMap((score) => (score.state === 'failed' ? [score.message] : [])));
  for (const reason of [...reasons].slice(0, 3)) print(paint('red', `  ${reason}`));
  if (pending > 0) {
    print(
      paint(
        'yellow',
        `After ${waitMs / 1000} s the table is not complete ("pending", "?"). The traces are stored; run the demo again to look once more.`,
      ),
    );
  }
  return pending;
}

function openable(sample: readonly Application[]): string {
  const traces = sample.flatMap((application) => application.traces);
  return (traces.find((trace) => scored(trace).some(({ type }) => type === 'tool')) ?? traces[0]!).id;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The project of that name; made when there is none. */
async function ensureProject(api: Api, name: string): Promise<string> {
  const found = await api.get<Named[]>(`/projects?project_name=${encodeURIComponent(name)}&type=gen_ai`);
  const project = found.find((one) => one.name === name) ?? (await api.post<Named>('/projects', { name, type: 'gen_ai' }));
  return project.id;
}

/** The log stream of that name in the project; made when there is none. */
async function ensureLogStream(api: Api, project_id: string, name: string): Promise<string> {
  const path = `/projects/${project_id}/log_streams`;
  const found = await api.get<Named[]>(path);
  const stream = found.find((one) => one.name === name) ?? (await api.post<Named>(path, { name }));
  return stream.id;
}
