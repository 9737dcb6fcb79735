import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineModelProvider, Endpoint, httpClient, secret, Token, z } from '../../core/plugin-sdk/index.ts';

const Settings = z.strictObject({
  endpoint: Endpoint,
  token: Token,
  region: z.string().max(20).default('here'),
  login: z.strictObject({ user: z.string(), pin: secret(z.string().min(4)) }).optional(),
  headers: secret(z.record(z.string(), z.string().min(1))).nullish(),
});

const Models = z.object({
  models: z.array(
    z.object({ name: z.string(), alias: z.string().optional(), judges: z.boolean(), reads: z.array(z.string()).optional() }),
  ),
});
const Answer = z.object({ text: z.string() });

/** A provider as anyone may write one; what it asks is a server of the test. */
export const fakeProvider = fakeProviderNamed('fake');

export function fakeProviderNamed(id: string) {
  return defineModelProvider({
    id,
    sdk: 1,
    stability: 'experimental',
    label: 'Fake',
    summary: 'A provider of the tests.',
    settings: Settings,
    former_paths: [`${id}/old-name`],
    create: (host, { endpoint, token, login }) => {
      const far = httpClient(host, id);
      const headers = { authorization: `Bearer ${token}`, ...(login && { 'x-pin': login.pin }) };
      const models = async (signal: AbortSignal) => {
        const listed = await far.json(Models, `${endpoint}/models`, { headers, signal });
        return listed.models.map(({ name, alias, judges, reads }) => ({
          name,
          for_scorers: judges,
          ...(alias && { alias }),
          ...(reads && { input_modalities: reads }),
        }));
      };
      return {
        async complete({ model, signal }) {
          const init = { method: 'POST', body: JSON.stringify({ model }), headers, signal };
          const { text } = await far.json(Answer, `${endpoint}/ask`, init);
          return { text, usage: {}, finish_reason: 'stop', model };
        },
        models,
        check: async (signal) => void (await models(signal)),
      };
    },
  });
}

export interface UpstreamServer {
  readonly url: string;
  /** Requests so far: path, and the credentials that came. */
  readonly asked: { readonly path: string; readonly token: string; readonly pin: string | undefined }[];
  /** Response from now on. */
  answer: (req: IncomingMessage, res: ServerResponse) => void;
  close(): Promise<void>;
}

export const MODELS = [
  { name: 'judge-large', alias: 'Judge', judges: true },
  { name: 'embedder', judges: false },
];

/** An upstream service that has two models. */
export async function startUpstreamServer(): Promise<UpstreamServer> {
  const asked: UpstreamServer['asked'] = [];
  const server = createServer((req, res) => {
    const pin = req.headers['x-pin'];
    asked.push({ path: req.url ?? '', token: req.headers.authorization ?? '', pin: pin === undefined ? undefined : String(pin) });
    far.answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const far: UpstreamServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (req, res) => {
      if (req.url === '/models') return void res.end(JSON.stringify({ models: MODELS }));
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => res.end(JSON.stringify({ text: `asked ${Buffer.concat(chunks)}` })));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return far;
}

/** A provider that asks nobody. */
export const quietProvider = defineModelProvider({
  id: 'quiet',
  sdk: 1,
  stability: 'experimental',
  label: 'Quiet',
  summary: 'A provider that asks nobody.',
  settings: z.strictObject({ token: Token, note: z.string().optional() }),
  create: () => ({
    complete: async ({ model }) => ({ text: '', usage: {}, finish_reason: 'stop', model }),
    models: async () => [{ name: 'quiet-model', for_scorers: true }],
    check: async () => {},
  }),
});
