import { createServer, type Server } from 'node:http';
import { context, trace as traces } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedService, startService } from '../../../testing/start-service.ts';
import { init, type Touchstone } from './index.ts';
import { expectNotWorse, expectToPass } from './vitest.ts';

let service: StartedService;
let client: Touchstone;
beforeAll(async () => {
  service = await startService();
  client = init({ url: service.url, apiKey: service.apiKey, project: 'clients', logStream: 'tests' });
});
afterAll(async () => {
  await client.shutdown();
  await service.close();
});

interface Found {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly parent_id: string | null;
  readonly status_code: number | null;
  readonly metrics: Record<string, number>;
}

async function find(level: 'traces' | 'spans', run: object): Promise<Found[]> {
  const { body: page } = await service.request('POST', '/v2/projects/paginated', {
    filters: [{ name: 'name', operator: 'eq', value: 'clients' }],
  });
  const { body } = await service.request('POST', `/v2/projects/${page.projects[0].id}/${level}/search`, run);
  return body.records;
}

async function logStreamId(): Promise<string> {
  const { body: page } = await service.request('POST', '/v2/projects/paginated', {
    filters: [{ name: 'name', operator: 'eq', value: 'clients' }],
  });
  const { body } = await service.request('GET', `/v2/projects/${page.projects[0].id}/log_streams`);
  return body.find(({ name }: { name: string }) => name === 'tests').id;
}

describe('spans of the client', () => {
  it('nest, with inputs, outputs and failures, and with spans that others make', async () => {
    const answer = client.traced({ name: 'answer', type: 'agent' }, async (question: string) => {
      const found = await client.span({ name: 'look up', type: 'retriever', input: question }, async () => {
        expect(traces.getSpan(context.active())).toBeDefined();
        return `documents about ${question}`;
      });
      await client.span({ name: 'pay', type: 'tool' }, () => Promise.reject(new Error('no money'))).catch(() => {});
      return `answer from ${found}`;
    });
    expect(await answer('tea')).toBe('answer from documents about tea');
    await client.flush();
    const log_stream_id = await logStreamId();
    expect(await find('traces', { log_stream_id })).toMatchObject([
      { name: 'answer', input: 'tea', output: 'answer from documents about tea' },
    ]);
    const spans = await find('spans', { log_stream_id });
    const [agent, pay] = ['answer', 'pay'].map((name) => spans.find((span) => span.name === name));
    expect(agent).toMatchObject({ type: 'agent' });
    expect(spans.find(({ name }) => name === 'look up')).toMatchObject({ type: 'retriever', parent_id: agent?.id });
    expect(pay).toMatchObject({ type: 'tool', parent_id: agent?.id, status_code: 500 });
  });

  it('are made of calls of a method by its decorator', async () => {
    class Shop {
      readonly price = 3;
      sell(count: number): number {
        return count * this.price;
      }
    }
    const sell = client.tracedMethod({ type: 'tool' })(Shop.prototype.sell, { name: 'sell' });
    expect(await sell.call(new Shop(), 2)).toBe(6);
    await client.flush();
    const spans = await find('spans', { log_stream_id: await logStreamId() });
    expect(spans.find(({ name }) => name === 'sell')).toMatchObject({ type: 'tool' });
  });

  it('are delivered once the service is back, when it was busy and when it was away', async () => {
    const first = await findPort();
    const lost: number[] = [];
    const away = init({
      url: first.url,
      apiKey: service.apiKey,
      project: 'clients',
      logStream: 'tests',
      onLost: (spans) => void lost.push(spans),
    });
    await away.span('while it was away', () => 'kept');
    const delivered = away.flush();
    // Nobody listens at first, then one that is too busy, then the service itself.
    let refused = 0;
    const door = createServer((req, res) => {
      if (refused++ < 2) return void res.writeHead(503, { 'retry-after': '0' }).end();
      void forward(req, res);
    });
    await new Promise((resolve) => setTimeout(resolve, 400));
    await new Promise<void>((resolve) => door.listen(first.port, '127.0.0.1', resolve));
    await delivered;
    await away.shutdown();
    await close(door);
    expect(refused).toBe(3);
    expect(lost).toEqual([]);
    const found = await find('traces', { log_stream_id: await logStreamId() });
    expect(found.map(({ name }) => name)).toContain('while it was away');
  });

  it('are counted when they cannot be delivered', async () => {
    const lost: number[] = [];
    const wrong = init({ url: service.url, apiKey: 'wrong', project: 'clients', onLost: (spans) => void lost.push(spans) });
    await wrong.span('refused', () => 1);
    await wrong.flush().catch(() => {});
    await wrong.shutdown().catch(() => {});
    expect(lost).toEqual([1]);
  });
});

async function forward(req: import('node:http').IncomingMessage, res: import('node:http').ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const headers = Object.entries(req.headers).filter(
    ([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name),
  );
  const reply = await fetch(service.url + req.url, {
    method: 'POST',
    headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
    body: Buffer.concat(chunks),
  });
  res.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
}

async function findPort(): Promise<{ url: string; port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await close(server);
  return { url: `http://127.0.0.1:${port}`, port };
}

const close = (server: Server) =>
  new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });

describe('datasets and evaluations of the client', () => {
  it('run a task on every row, and end in an experiment with the scores of each', async () => {
    await client.datasets.create(
      'words',
      ['a', 'b', 'c', 'd'].map((input) => ({ input, output: input.toUpperCase() })),
    );
    let most = 0;
    let now = 0;
    const evaluation = await client.evaluate<{ input: string; output: string }, string>({
      dataset: 'words',
      parallel: 2,
      task: async ({ input }) => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
        if (input === 'd') throw new Error('no d');
        return input === 'c' ? '?' : input.toUpperCase();
      },
      scorers: { exact: ({ row, output }) => row.output === output },
    });
    expect(most).toBe(2);
    expect(evaluation).toMatchObject({ rows: 4, failed: 1, means: { exact: 2 / 3 } });
    expect(evaluation.url).toBe(
      `${service.url}/#/projects/${evaluation.url.split('/')[5]}/experiments/${evaluation.experimentId}`,
    );
    const rows = await find('traces', { experiment_id: evaluation.experimentId });
    const byInput = new Map(rows.map((row) => [row.input, row]));
    expect(byInput.get('a')?.metrics.exact).toBe(1);
    expect(byInput.get('c')?.metrics.exact).toBe(0);
    expect(byInput.get('d')).toMatchObject({ output: 'no d', status_code: 500 });

    expect(() => expectToPass(evaluation, { means: { exact: 0.6 }, failed: 1 })).not.toThrow();
    expect(() => expectToPass(evaluation, { means: { exact: 0.9, other: 1 } })).toThrow(
      /exact is 0\.66\d+, less than 0\.9; other was not measured; 1 rows failed\nhttp/,
    );
  });

  it('are compared with a baseline, and fail a build where they are worse beyond chance', async () => {
    const rows = Array.from({ length: 8 }, (_, at) => ({ input: String(at) }));
    await client.datasets.create('gate', rows);
    const told: number[] = [];
    const run = (base: number) =>
      client.evaluate<{ input: string }, number>({
        dataset: 'gate',
        // Not the same everywhere, so that chance is known.
        task: ({ input }) => base + (base * Number(input)) / 100,
        scorers: { quality: ({ output }) => output },
        onProgress: (done) => void told.push(done),
      });
    const [good, bad] = [await run(0.9), await run(0.4)];
    expect(told).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8]);
    await expectNotWorse(client, good, { baseline: bad.experimentId, metrics: ['quality'] });
    await expect(expectNotWorse(client, bad, { baseline: good.experimentId, metrics: ['quality'] })).rejects.toThrow(
      /^the gate refuses: quality -0\.5\d* on 8 rows \(.+\)\nhttp/,
    );
    await expect(expectNotWorse(client, good, { baseline: bad.experimentId, metrics: ['kindness'] })).rejects.toThrow(
      'no row has kindness in both experiments',
    );
  });

  it('say which dataset is missing', async () => {
    await expect(client.datasets.get('nothing')).rejects.toMatchObject({ name: 'TouchstoneError', status: 404 });
  });
});

describe('prompts and feedback of the client', () => {
  it('keeps a prompt for a while, and takes the one from before when the service is away', async () => {
    const project_id =
      (await client.datasets.get('words')) && (await find('traces', { log_stream_id: await logStreamId() })).length;
    expect(project_id).toBeGreaterThan(0);
    const { body: page } = await service.request('POST', '/v2/projects/paginated', {
      filters: [{ name: 'name', operator: 'eq', value: 'clients' }],
    });
    const path = `/v2/projects/${page.projects[0].id}/templates`;
    const made = await service.request('POST', path, { name: 'greeting', template: 'Hello {{name}}', settings: {} });
    expect(made.status).toBe(200);
    expect(await client.prompts.get('greeting')).toMatchObject({ name: 'greeting', template: 'Hello {{name}}' });
    await service.request('DELETE', `${path}/${made.body.id}`);
    expect(await client.prompts.get('greeting')).toMatchObject({ template: 'Hello {{name}}' });
    expect(await client.prompts.get('greeting', { maxAgeMs: 0 })).toMatchObject({ template: 'Hello {{name}}' });
    await expect(client.prompts.get('never')).rejects.toMatchObject({ status: 404 });
  });

  it('finds a prompt by its label', async () => {
    const { body: page } = await service.request('POST', '/v2/projects/paginated', {
      filters: [{ name: 'name', operator: 'eq', value: 'clients' }],
    });
    const path = `/v2/projects/${page.projects[0].id}/templates`;
    const { body: made } = await service.request('POST', path, { name: 'labelled', template: 'first', settings: {} });
    await service.request('POST', `${path}/${made.id}/versions`, { template: 'second', settings: {} });
    const move = (version: number) => service.request('PUT', `/v2/templates/${made.id}/labels/production`, { version });
    expect((await move(1)).status).toBe(200);
    const at = (label: string, maxAgeMs?: number) =>
      client.prompts.get('labelled', { label, ...(maxAgeMs !== undefined && { maxAgeMs }) });
    expect(await at('production')).toMatchObject({ template: 'first' });
    expect(await at('latest')).toMatchObject({ template: 'second' });
    await move(2);
    expect(await at('production')).toMatchObject({ template: 'first' });
    expect(await at('production', 0)).toMatchObject({ template: 'second' });
  });

  it('knows the ids of a span and its trace, for feedback and scores', async () => {
    const ids = await client.span({ name: 'judged', type: 'agent' }, async (span) => {
      client.score({ name: 'sweetness', value: 0.75, explanation: 'there is sugar' });
      return client.recordIds(span);
    });
    await client.flush();
    await client.feedback({ recordId: ids.trace, type: 'like_dislike', value: true });
    await client.feedback({ recordId: ids.span, type: 'star', value: 4, name: 'stars' });
    const spans = await find('spans', { log_stream_id: await logStreamId() });
    expect(spans.find(({ id }) => id === ids.span)).toMatchObject({ name: 'judged', metrics: { sweetness: 0.75 } });
    expect(() => client.score({ name: 'alone', value: 1 })).toThrow('no current span');
  });

  it('gives feedback on a record', async () => {
    const [record] = await find('traces', { log_stream_id: await logStreamId() });
    await client.feedback({ recordId: record?.id ?? '', type: 'like_dislike', value: true });
    await expect(client.feedback({ recordId: crypto.randomUUID(), type: 'star', value: 3 })).rejects.toMatchObject({
      name: 'TouchstoneError',
    });
  });
});
