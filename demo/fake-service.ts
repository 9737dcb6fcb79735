import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SCORERS } from './demo-scorers.ts';
import { type SampleRecord, walk } from './sample.ts';
import { scorerInVm } from './scorer-in-vm.ts';

interface Body {
  readonly name?: string;
  readonly tags?: string[];
  readonly filters?: { value: unknown }[];
  readonly scorers?: { id: string }[];
  readonly log_stream_id?: string;
  readonly session_id?: string | null;
  readonly traces?: SampleRecord[];
  readonly starting_token?: number;
  readonly limit?: number;
}

type Handler = (body: Body, id: string, raw: string) => unknown;

/**
 * The few endpoints that the demo calls, in memory, for its tests. It scores in `node:vm`; `silent` names a scorer
 * whose scores never come, and the first search of each kind shows every score as pending.
 */
export async function fakeService(key: string, { silent = '' } = {}) {
  const made = { projects: [] as Body[], streams: [] as Body[], scorers: [] as Body[] };
  const code = new Map<string, string>();
  const enabled = new Map<string, { id: string }[]>();
  const records = new Map<string, SampleRecord & { log_stream_id: string }>();
  const calls: string[] = [];
  const searched = new Set<string>();
  const scorers = new Map(SCORERS.map((scorer) => [scorer.node_type as string, { name: scorer.name, run: scorerInVm(scorer) }]));

  const make = (list: Body[]) => (body: Body) => {
    list.push({ ...body, id: randomUUID() } as Body);
    return list.at(-1);
  };
  const search = (kind: 'trace' | 'span') => (body: Body) => {
    const first = !searched.has(kind + body.log_stream_id);
    searched.add(kind + body.log_stream_id);
    const all = [...records.values()].filter(
      (one) => one.log_stream_id === body.log_stream_id && (one.type === 'trace') === (kind === 'trace'),
    );
    const [from, to] = [body.starting_token ?? 0, (body.starting_token ?? 0) + (body.limit ?? 100)];
    return {
      records: all.slice(from, to).map((one) => ({ ...one, metric_info: first ? {} : score(one) })),
      next_starting_token: to < all.length ? to : null,
    };
  };
  const score = (record: SampleRecord) => {
    const scorer = scorers.get(record.type);
    if (!scorer || scorer.name === silent) return {};
    return { [scorer.name]: { status_type: 'success', value: scorer.run(record) } };
  };
  const ingest = ({ log_stream_id = '', traces = [] }: Body) => {
    if (!enabled.get(log_stream_id)?.length) throw new Error('traces came before the scorers');
    const flat = traces.flatMap((trace) => [...walk(trace)]);
    for (const record of flat) records.set(record.id, { ...record, log_stream_id });
    return { records_count: flat.length };
  };
  const routes: [RegExp, Handler][] = [
    [/^GET \/v2\/projects\?/, () => made.projects],
    [/^POST \/v2\/projects$/, make(made.projects)],
    [/^GET .*\/log_streams$/, () => made.streams],
    [/^POST .*\/log_streams$/, make(made.streams)],
    [/^GET .*\/log_streams\/([^/]+)\/metric_settings$/, (_, id) => ({ scorers: enabled.get(id) ?? [] })],
    [/^PATCH .*\/log_streams\/([^/]+)\/metric_settings$/, ({ scorers = [] }, id) => enabled.set(id, scorers) && { scorers }],
    [
      /^POST \/v2\/scorers\/list$/,
      ({ filters }) => ({ scorers: made.scorers.filter(({ name }) => name === filters?.[0]?.value) }),
    ],
    [/^POST \/v2\/scorers$/, make(made.scorers)],
    [/^GET \/v2\/scorers\/([^/]+)\/version\/code$/, (_, id) => code.get(id)],
    [/^POST \/v2\/scorers\/([^/]+)\/version\/code$/, (_body, id, raw) => code.set(id, toPart(raw)) && { version: 1 }],
    [/^POST .*\/traces$/, ingest],
    [/^POST .*\/traces\/search$/, search('trace')],
    [/^POST .*\/spans\/search$/, search('span')],
    [/^GET \/readyz$/, () => ({})],
  ];

  const server = createServer(async (req, res) => {
    const call = `${req.method} ${req.url}`;
    calls.push(call);
    const reply = (status: number, body: unknown) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (req.url !== '/readyz' && req.headers['service-api-key'] !== key) return reply(401, { detail: 'the key is not known' });
    const raw = await read(req);
    const route = routes.find(([pattern]) => pattern.test(call));
    const body = req.headers['content-type'] === 'application/json' ? (JSON.parse(raw) as Body) : {};
    const answer = route?.[1](body, route[0].exec(call)?.[1] ?? '', raw);
    return answer === undefined ? reply(404, { detail: `nothing at ${call}` }) : reply(200, answer);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((done) => server.close(() => done()).closeAllConnections());
  return { url: `http://127.0.0.1:${port}`, port, made, code, enabled, records, calls, close };
}

async function read(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req.setEncoding('utf8')) text += chunk;
  return text;
}

/** The content of the only part of a multipart body. */
function toPart(raw: string): string {
  return raw.slice(raw.indexOf('\r\n\r\n') + 4, raw.lastIndexOf('\r\n--'));
}
