import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderObjectStore } from '../../../adapters/object-storage/folder-object-store.ts';
import { openObjectStore } from '../../../config/object-stores.ts';
import { Exporter } from '../../../core/data-export/exporter.ts';
import type { ObjectStore } from '../../../core/object-storage/object-store.ts';
import type { NewScore } from '../../../core/scores/score.ts';
import { listAll } from '../../contracts/object-storage/object-store.contract.ts';
import { toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import { FAKE_S3_KEYS, FakeS3 } from '../../fixtures/s3/fake-s3.ts';
import type { TestServer, TestSettings } from '../harness.ts';
import { send } from '../otel/otlp-client.ts';
import { type ReadExport, readExport, toCompared, toShown } from './duckdb-export.ts';

const byKey = (rows: readonly Readonly<Record<string, unknown>>[]) =>
  [...rows].sort((a, b) => (toPlace(a) < toPlace(b) ? -1 : 1));
const toPlace = (row: Readonly<Record<string, unknown>>): string => `${row.run_id} ${row.id} ${row.name} ${row.by} ${row.type}`;

/** Thrown where a process is killed. */
const KILLED = new Error('killed');

/** The object, where the call with that number is its last: it is killed before the call or, with `after`, right behind it. */
function killing<T extends object>(target: T, calls: { made: number; readonly last: number; readonly after: boolean }): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name, object);
      if (typeof member !== 'function' || name === 'list') return typeof member === 'function' ? member.bind(object) : member;
      return async (...args: unknown[]) => {
        calls.made += 1;
        if (calls.made > calls.last || (calls.made === calls.last && !calls.after)) throw KILLED;
        const result = await Reflect.apply(member, object, args);
        if (calls.made === calls.last) throw KILLED;
        return result;
      };
    },
  });
}

/** Everything about exports that stores have a part in: the whole way from requests to DuckDB. */
export function dataExportOf(where: string, start: (settings: TestSettings) => Promise<TestServer>): void {
  describe(`exporting as Parquet, ${where}`, () => {
    let folder: string;
    let target: ObjectStore;
    let server: TestServer;
    let project: { readonly id: string; readonly name: string };
    let run_id: string;
    let opened: ReadExport | undefined;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'touchstone-export-'));
      target = new FolderObjectStore(folder);
      server = await start({ exportTarget: target, exportIntervalSeconds: 0 });
      project = (await server.request('POST', '/v2/projects', { name: `exported ${randomUUID()}` })).body;
      run_id = (await inProject('POST', '/log_streams', { name: 'logs' })).id;
    });
    afterEach(async () => {
      opened?.close();
      opened = undefined;
      await server.close();
      await rm(folder, { recursive: true });
    });

    async function inProject(method: string, path: string, body?: object) {
      const reply = await server.request(method, `/v2/projects/${project.id}${path}`, body);
      expect(reply.status, `${method} ${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300);
      return reply.body;
    }
    const enable = (content = ['records', 'scores', 'ratings']) =>
      inProject('PUT', '/data-export', { is_enabled: true, content });
    const status = () => inProject('GET', '/data-export');
    const index = async () => {
      while ((await server.cradle.recordIndex.advance(1_000)) > 0);
    };
    const settle = async (exporter: Pick<Exporter, 'advance'> = server.cradle.exporter) => {
      await index();
      for (let tries = 0; (await status()).status !== 'up_to_date'; tries += 1) {
        expect(tries).toBeLessThan(200);
        await exporter.advance();
      }
    };
    const log = async (...traces: object[]) => inProject('POST', '/traces', { log_stream_id: run_id, traces });
    const open = async () => {
      opened?.close();
      opened = await readExport(folder);
      return opened;
    };
    const logOtlp = async (spans: object[]) => {
      const reply = await send(server, toRequest({ spans } as never), { headers: { project: project.name, logstream: 'otlp' } });
      expect(reply.status).toBe(200);
    };
    const score = (record_id: string, facts: Partial<NewScore> = {}, run = run_id) =>
      server.cradle.scoreStore.insert([
        {
          ...{
            project_id: project.id,
            run_id: run,
            record_id,
            scorer_id: SCORER,
            scorer_version_id: VERSION,
            metric_name: 'quality',
          },
          ...{
            status_type: 'success',
            value: 0.25,
            explanation: 'so "so"',
            message: null,
            scored_at: '2026-03-01T00:00:00.123456Z',
          },
          ...{ effort: { model: 'judge', cost: 0.01, input_tokens: 7 }, judged: 'first' },
          ...facts,
        },
      ]);
    const scoreSession = (record_id: string, facts: Partial<NewScore> = {}) =>
      server.cradle.sessionScoreStore.insert([
        {
          ...{ project_id: project.id, run_id, record_id, scorer_id: SCORER, scorer_version_id: VERSION, metric_name: 'whole' },
          ...{ status_type: 'success', value: 0.5, explanation: null, message: null, scored_at: '2026-03-01T00:00:00Z' },
          ...{ effort: null, judged: 'first' },
          ...facts,
        },
      ]);
    const SCORER = randomUUID();
    const VERSION = randomUUID();

    /** All records of the project, or all sessions, as the exports of the API have them. */
    async function exportByApi(types: readonly string[] = ['trace', 'span']) {
      const streams: { id: string }[] = (await inProject('GET', '/log_streams')) as never;
      const rows: Record<string, unknown>[] = [];
      for (const { id } of streams)
        for (const root_type of types) {
          const text = (await inProject('POST', '/export_records', { log_stream_id: id, root_type, redact: false })) ?? '';
          rows.push(
            ...String(text)
              .split('\n')
              .filter(Boolean)
              .map((line) => JSON.parse(line)),
          );
        }
      return byKey(rows);
    }

    /** Expects DuckDB to read just what the API exports, each version once. */
    async function expectSame({ isOverlapping = false } = {}): Promise<void> {
      const { records, scores, ratings, repeated } = await open();
      const shown = await exportByApi();
      const all = [
        ...shown.map((one) => ({ ...one, of: 'record' })),
        ...(await exportByApi(['session'])).map((one) => ({ ...one, of: 'session' })),
      ];
      expect(byKey(await records()).map(toShown)).toEqual(shown.map(toCompared));
      const metrics = all.flatMap(({ id, type, metric_info }: Record<string, unknown>) =>
        Object.entries(metric_info as Record<string, { status_type: string }>)
          .filter(([, { status_type }]) => status_type !== 'roll_up')
          .map(([name, info]) => ({ id, name, type, ...info })),
      );
      const read = (await scores()).map(
        ({ record_id: id, record_type: type, metric_name: name, status_type, value, explanation, cost }) => ({
          ...{ id, type, name, status_type, value: JSON.parse(String(value)), explanation, cost },
        }),
      );
      const compared = metrics.map(({ id, type, name, status_type, value, explanation, cost }: Record<string, unknown>) => ({
        ...{ id, type, name, status_type, value, explanation, cost },
      }));
      expect(byKey(read as never)).toEqual(byKey(compared as never));
      const given = all.flatMap(({ id, of, session_id, feedback_rating_info, annotations }: Record<string, unknown>) => {
        // A trace that is a session by itself shows the same ratings twice.
        if (of === 'session' && shown.some((one) => one.id === id && one.session_id === session_id && one.id === one.session_id))
          return [];
        const feedback = Object.entries(feedback_rating_info as Record<string, object>).map(([name, one]) => ({
          id,
          name,
          by: null,
          ...one,
        }));
        const answers = Object.entries(annotations as Record<string, Record<string, object>>).flatMap(([name, byAnnotator]) =>
          Object.entries(byAnnotator).map(([by, one]) => ({ id, name, by, ...one })),
        );
        return [...feedback, ...answers].map(({ name, by, value, explanation }: Record<string, unknown>) => ({
          id,
          name,
          by,
          value,
          explanation,
        }));
      });
      const rated = (await ratings()).map(({ record_id: id, name, annotator_id: by, value, explanation }) => ({
        ...{ id, name, by, value: JSON.parse(String(value)), explanation },
      }));
      expect(byKey(rated as never)).toEqual(byKey(given as never));
      if (!isOverlapping) expect(await repeated()).toEqual([]);
    }

    it('writes what came by every route, changed, was scored anew and was deleted, as the API exports it', async () => {
      const [first, second, gone] = [randomUUID(), randomUUID(), randomUUID()];
      const span_id = randomUUID();
      await log(
        {
          ...{ id: first, name: 'a', input: 'hello "you"\u0000 \u{1F600}', output: 'world', tags: ['x', 'y'], external_id: 'e' },
          ...{ created_at: '2026-01-01T23:59:59.999999Z', user_metadata: { team: 'blue' }, redacted_input: 'hidden' },
          ...{ dataset_input: 'i', dataset_metadata: { k: 'v' }, metrics: { duration_ns: 5, own: 1.5 }, status_code: 200 },
          spans: [
            {
              ...{ type: 'llm', id: span_id, name: 'ask', model: 'm-1', temperature: 0.5, finish_reason: 'stop' },
              input: [{ role: 'user', content: 'how?' }],
              output: { role: 'assistant', content: 'so' },
              tools: [{ type: 'function', function: { name: 'f' } }],
              metrics: { num_input_tokens: 3, num_output_tokens: 4, num_total_tokens: 7 },
            },
            { type: 'retriever', name: 'find', input: 'q', output: [{ content: 'd', metadata: {} }] },
            { type: 'tool', name: 'call', input: '{}', output: 'done', tool_call_id: 't' },
          ],
        },
        { id: second, input: 'b', created_at: '2026-01-05T00:00:00Z' },
        { id: gone, input: 'secret', created_at: '2026-01-05T00:00:01Z' },
      );
      await score(first);
      expect(await status()).toMatchObject({ is_enabled: false, status: 'off', target: folder, num_files: 0 });
      expect(await enable()).toMatchObject({ is_enabled: true });
      await settle();
      await expectSame();
      await logOtlp([
        { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), name: 'chat', attributes: { 'gen_ai.operation.name': 'chat' } },
      ]);
      await score(span_id, { value: true, scorer_version_id: randomUUID(), metric_name: 'kind' });
      await settle();
      await expectSame();

      await inProject('PATCH', `/traces/${first}`, { log_stream_id: run_id, output: 'changed', tags: ['z'] });
      await score(first, { value: 0.75, replaces: 'first', judged: 'second' } as Partial<NewScore>);
      await inProject('POST', '/traces/delete', { log_stream_id: run_id, filters: [idIs(gone)] });
      await settle();
      await expectSame();
      const { ask, question } = await open();
      expect(
        await ask(
          `select version, deleted, input from read_parquet('EXPORT_TO/*/*/records-*.parquet') where id = '${gone}' order by version`,
        ),
      ).toEqual([
        { version: expect.any(String), deleted: false, input: 'secret' },
        { version: expect.any(String), deleted: true, input: null },
      ]);
      expect(await question()).toMatchObject([
        { model: 'm-1', calls: '1', tokens: '7', score: null },
        { model: null, calls: '1' },
      ]);

      await server.cradle.rescoring.rescore(project.id, run_id, [first], [SCORER], '2030-01-01T00:00:00.000Z');
      await settle();
      await expectSame();
      const { num_files, num_rows, last_file, lag_seconds, num_waiting } = await status();
      const files = await listAll(target);
      expect({ num_files, lag_seconds, num_waiting }).toEqual({ num_files: files.length, lag_seconds: null, num_waiting: 0 });
      expect(files.map(({ key }) => key)).toContain(last_file.key);
      const [counted] = await (await open()).ask(
        "select count(*) as total from read_parquet('EXPORT_TO/*/*/*.parquet', union_by_name = true)",
      );
      expect(Number(counted!.total)).toBe(num_rows);
    });

    it('writes scores of sessions, feedback and annotations, as they come, change and go', async () => {
      const { id: talk } = await inProject('POST', '/sessions', { log_stream_id: run_id, name: 'talk' });
      const [first, second] = [randomUUID(), randomUUID()];
      const span_id = randomUUID();
      await log(
        { id: first, input: 'a', created_at: '2026-01-01T00:00:00Z', spans: [{ type: 'tool', id: span_id, input: 'x' }] },
        { id: second, input: 'b', created_at: '2026-01-02T00:00:00Z' },
      );
      await inProject('POST', '/traces', { log_stream_id: run_id, session_id: talk, traces: [{ input: 'c' }] });
      await scoreSession(talk);
      await enable();
      await settle();
      await expectSame();
      // A trace that is a session by itself, scored as both by one version of a scorer.
      await scoreSession(first, { value: true });
      await score(first, { value: false });
      const template = await inProject('POST', '/annotation_templates', { name: 'fit', annotation_type: 'star' });
      const rate = (record_id: string, rating: object) =>
        inProject('POST', '/annotations', { log_stream_id: run_id, record_id, template_id: template.id, ...rating });
      const feed = (record_id: string, name: string, rating: object) =>
        inProject('POST', '/feedback', { log_stream_id: run_id, record_id, name, ...rating });
      await feed(first, 'thumb', { feedback_type: 'like_dislike', value: true, explanation: 'it\u0000s' });
      await feed(span_id, 'tags', { feedback_type: 'tags', value: ['a', 'b'] });
      await feed(talk, 'stars', { feedback_type: 'star', value: 2 });
      await rate(second, { value: 4 });
      await rate(talk, { value: 5, explanation: 'well' });
      await settle();
      await expectSame();
      expect((await status()).num_waiting).toBe(0);
      const types = await (await open()).ask(
        'select record_type, count(*)::int as n from (select record_type from scores union all select record_type from ratings) group by all order by all',
      );
      expect(types).toEqual([
        { record_type: 'session', n: 4 },
        { record_type: 'tool', n: 1 },
        { record_type: 'trace', n: 3 },
      ]);

      await feed(first, 'thumb', { feedback_type: 'like_dislike', value: false });
      await rate(talk, { value: 1 });
      await scoreSession(talk, { value: 0.75, replaces: 'first', judged: 'second' } as Partial<NewScore>);
      await feed(span_id, 'tags', { feedback_type: 'tags', value: null });
      await settle();
      await expectSame();
      await inProject('DELETE', `/annotation_templates/${template.id}`);
      await server.cradle.rescoring.rescore(project.id, run_id, [first], [SCORER], '2030-01-01T00:00:00.000Z');
      await settle();
      await expectSame();
      await inProject('POST', '/sessions/delete', { log_stream_id: run_id, filters: [idIs(talk)] });
      await settle();
      await expectSame();
      expect(await (await open()).ratings()).toMatchObject([{ record_id: first, name: 'thumb', value: 'false' }]);
      const numRows = (await status()).num_rows;
      await inProject('PUT', '/data-export', { is_enabled: false });
      await enable();
      await settle();
      expect((await status()).num_rows).toBe(numRows);
    });

    it('writes nothing again that has not changed, and no kind of file that is not asked for', async () => {
      await enable(['records']);
      const id = randomUUID();
      await log({ id, input: 'a' });
      await score(id);
      await settle();
      expect((await listAll(target)).map(({ key }) => /\/(\w+)-/.exec(key)![1])).toEqual(['records']);
      await inProject('PUT', '/data-export', { is_enabled: false });
      await enable();
      await settle();
      expect((await status()).num_rows).toBe(2);
      await expectSame();
    });

    it('says that a run is gone, and removes the files of a project that is deleted', async () => {
      await enable();
      await log({ input: 'a', spans: [{ type: 'tool', input: 'x' }] });
      const other = (await inProject('POST', '/log_streams', { name: 'other' })).id;
      await inProject('POST', '/traces', { log_stream_id: other, traces: [{ input: 'b' }] });
      await settle();
      await inProject('DELETE', `/log_streams/${run_id}`);
      await settle();
      await expectSame();
      expect((await (await open()).records()).map(({ run_id: run }) => run)).toEqual([other]);
      await target.put('project=another/day=2026-01-01/records-000000000001.parquet', new Uint8Array(1));
      expect((await server.request('DELETE', `/v2/projects/${project.id}`)).status).toBeLessThan(300);
      while (await server.cradle.exporter.advance());
      expect((await listAll(target)).map(({ key }) => key)).toEqual([
        'project=another/day=2026-01-01/records-000000000001.parquet',
      ]);
    });

    it('fails with a reason while the store is away, tries again later each time, and loses nothing', async () => {
      let isAway = true;
      let offsetMs = 0;
      const away: ObjectStore = {
        ...{ location: folder, get: target.get, list: (prefix) => target.list(prefix), remove: (key) => target.remove(key) },
        put: (...args) => (isAway ? Promise.reject(new Error('the store is away')) : target.put(...args)),
      };
      const clock = () => new Date(Date.now() + offsetMs);
      const exporter = new Exporter({ ...server.cradle, exportTarget: away, clock });
      await enable();
      await log({ input: 'a' });
      await index();
      const delays: number[] = [];
      for (let attempts = 1; attempts <= 3; attempts += 1) {
        for (let tries = 0; (await status()).failure?.attempts !== attempts; tries += 1) {
          expect(tries).toBeLessThan(20);
          await exporter.advance();
        }
        const { failure, status: said } = await status();
        expect({ said, reason: failure.reason }).toEqual({ said: 'failing', reason: 'the store is away' });
        delays.push(Math.round((Date.parse(failure.next_attempt_at) - clock().getTime()) / 1_000));
        offsetMs = Date.parse(failure.next_attempt_at) - Date.now() + 1;
      }
      expect(delays[1]).toBeGreaterThan(delays[0]!);
      expect(delays[2]).toBeGreaterThan(delays[1]!);
      expect(await server.cradle.dataExportStore.summary()).toMatchObject({ num_failing: 1, num_waiting: 1 });
      isAway = false;
      offsetMs += 3_600_000;
      await settle(exporter);
      expect((await status()).failure).toBeNull();
      await expectSame();
    });

    it('writes the same files to a bucket', async () => {
      const bucket = new FakeS3('bucket');
      const endpoint = await bucket.listen();
      try {
        const { accessKeyId, secretAccessKey } = FAKE_S3_KEYS;
        const keys = { endpoint, region: 'eu-central-1', accessKeyId, secretAccessKey, sessionToken: undefined };
        const exportTarget = openObjectStore('s3://bucket/some/where', keys);
        await enable();
        const id = randomUUID();
        await log({ id, input: 'a', spans: [{ type: 'tool', input: 'x' }] });
        await score(id);
        await settle(new Exporter({ ...server.cradle, exportTarget }));
        expect([...bucket.objects.keys()].every((key) => key.startsWith(`some/where/project=${project.id}/day=`))).toBe(true);
        for (const [key, content] of bucket.objects) await target.put(key.replace('some/where/', ''), content);
        await expectSame();
        // An export to another place begins anew there.
        await rm(folder, { recursive: true });
        await settle();
        while ((await listAll(target)).length === 0) await server.cradle.exporter.advance();
        await settle();
        await expectSame();
      } finally {
        await bucket.close();
      }
    });

    it('does not overwrite a file that another installation has written', async () => {
      await enable();
      await log({ input: 'a', created_at: '2026-01-01T00:00:00Z' });
      await index();
      await target.put(`project=${project.id}/day=2026-01-01/records-000000000001.parquet`, new Uint8Array(1));
      while ((await status()).failure === null) await server.cradle.exporter.advance();
      expect((await status()).failure.reason).toContain('which this installation has not written');
    });

    it('takes away what a process that was killed has written of records that are gone by the time of the next one', async () => {
      let offsetMs = 0;
      const clock = () => new Date(Date.now() + offsetMs);
      await enable();
      await settle();
      const id = randomUUID();
      await log({ id, input: 'secret' });
      await score(id);
      await index();
      const store = server.cradle.dataExportStore;
      const dataExportStore = new Proxy(store, {
        get: (object, name) => {
          const member: unknown = Reflect.get(object, name, object);
          if (name === 'commit' || name === 'fail') return () => Promise.reject(KILLED);
          return typeof member === 'function' ? member.bind(object) : member;
        },
      });
      await expect(new Exporter({ ...server.cradle, clock, dataExportStore }).advance()).rejects.toBe(KILLED);
      expect((await listAll(target)).map(({ key }) => /\/(\w+)-/.exec(key)![1])).toEqual(['records', 'scores']);
      await inProject('POST', '/traces/delete', { log_stream_id: run_id, filters: [idIs(id)] });
      offsetMs += 600_000;
      await settle(new Exporter({ ...server.cradle, clock }));
      expect(await listAll(target)).toEqual([]);
    });

    it.each([false, true])('writes each version once whatever call it is killed at; behind it: %s', async (after) => {
      let offsetMs = 0;
      const clock = () => new Date(Date.now() + offsetMs);
      const ids = Array.from({ length: 4 }, () => randomUUID());
      await enable();
      await log(...ids.map((id) => ({ id, input: 'first', created_at: '2026-01-01T00:00:00Z' })));
      let kills = 0;
      for (let last = 1; ; last += 1) {
        const extra = randomUUID();
        await log({ id: extra, input: `extra ${last}`, created_at: '2026-01-01T00:00:01Z' });
        await inProject('PATCH', `/traces/${ids[0]}`, { log_stream_id: run_id, output: `before ${last}` });
        await score(ids[1]!, { scorer_version_id: randomUUID(), metric_name: `m${last}` });
        await index();
        const calls = { made: 0, last, after };
        const killed = new Exporter({
          ...server.cradle,
          clock,
          exportTarget: killing(target, calls),
          dataExportStore: killing(server.cradle.dataExportStore, calls),
        });
        // One pass until nothing is left to do, or the process is gone.
        const isKilled = await (async () => {
          try {
            for (let round = 0; (await status()).status !== 'up_to_date' && round < 12; round += 1) await killed.advance();
            return calls.made > calls.last;
          } catch (error) {
            if (error !== KILLED) throw error;
            return true;
          }
        })();
        if (!isKilled) break;
        kills += 1;
        await inProject('PATCH', `/traces/${ids[2]}`, { log_stream_id: run_id, output: `after ${last}` });
        await inProject('POST', '/traces/delete', { log_stream_id: run_id, filters: [idIs(extra)] });
        offsetMs += 600_000;
        await settle(new Exporter({ ...server.cradle, clock }));
        await expectSame();
      }
      expect(kills).toBeGreaterThan(6);
    });

    /** Small files of a day that is over: changes of the same records, of a score and of ratings, one after the other. */
    const writeSmallFiles = async () => {
      const id = randomUUID();
      await enable();
      for (const output of ['first', 'second', 'third']) {
        await log({ id: randomUUID(), input: `beside ${output}`, created_at: '2026-01-01T00:00:01.000001Z', tags: ['a', 'b'] });
        await log({ id, input: 'a', output, created_at: '2026-01-01T00:00:00.123456Z', metrics: { duration_ns: 5 } });
        await score(id, { scorer_version_id: randomUUID(), metric_name: output });
        await inProject('POST', '/feedback', {
          log_stream_id: run_id,
          record_id: id,
          name: output,
          feedback_type: 'star',
          value: 3,
        });
        await settle();
      }
      return id;
    };
    const listNames = async () => (await listAll(target)).map(({ key }) => key.replace(/^.*\//, ''));
    const readAll = async (kind: string) =>
      (await open()).ask(`select * from read_parquet('EXPORT_TO/*/*/${kind}-*.parquet', union_by_name = true) order by all`);

    it('puts the files of a day together once it is over, and takes in what comes later', async () => {
      await writeSmallFiles();
      const before = await Promise.all(['records', 'scores', 'ratings'].map(readAll));
      let offsetMs = 0;
      const clock = () => new Date(Date.now() + offsetMs);
      const exporter = new Exporter({ ...server.cradle, clock });
      const pass = async () => {
        for (let pieces = 0; pieces < 20; pieces += 1) await exporter.advance();
      };
      await pass();
      expect(await listNames()).toHaveLength(9);
      offsetMs += 3_600_000 + 60_000;
      await pass();
      const merged = ['ratings', 'records', 'scores'].map((kind) => `${kind}-000000000001-000000000003.parquet`);
      expect((await listNames()).filter((name) => name.length > 'records-000000000001.parquet'.length)).toEqual(merged);
      expect(await listNames()).toHaveLength(12);
      await expectSame({ isOverlapping: true });
      offsetMs += 3_600_000;
      await pass();
      expect(await listNames()).toEqual(merged);
      await expectSame();
      expect(await Promise.all(['records', 'scores', 'ratings'].map(readAll))).toEqual(before);
      await log({ input: 'late', created_at: '2026-01-01T00:00:02Z' });
      await settle(exporter);
      expect(await listNames()).toHaveLength(4);
      for (let hours = 0; hours < 3; hours += 1) {
        offsetMs += 3_700_000;
        await pass();
        await expectSame({ isOverlapping: true });
      }
      expect(await listNames()).toEqual([merged[0], 'records-000000000001-000000000004.parquet', merged[2]]);
      await expectSame();
      expect((await status()).status).toBe('up_to_date');
    });

    it('leaves the files of a day that is not over, and of every day where files are not put together', async () => {
      await enable();
      for (const input of ['a', 'b']) {
        await log({ input });
        await settle();
      }
      const exporter = new Exporter({ ...server.cradle, exportMergeSeconds: 0, clock: () => new Date('2099-01-01T00:00:00Z') });
      await log({ input: 'c', created_at: '2026-01-01T00:00:00Z' });
      await settle(exporter);
      await log({ input: 'd', created_at: '2026-01-01T00:00:00Z' });
      await settle(exporter);
      for (let pieces = 0; pieces < 5; pieces += 1) await server.cradle.exporter.advance();
      expect((await listNames()).every((name) => /^records-\d+\.parquet$/.test(name))).toBe(true);
      expect(await listNames()).toHaveLength(4);
    });

    it.each([false, true])(
      'shows each thing once whatever call is the last while files are put together; behind it: %s',
      async (after) => {
        let offsetMs = 0;
        const clock = () => new Date(Date.now() + offsetMs);
        const id = await writeSmallFiles();
        let kills = 0;
        for (let last = 1; ; last += 1) {
          await log({ id, input: 'a', output: `${last}`, created_at: '2026-01-01T00:00:00.123456Z' });
          await settle(new Exporter({ ...server.cradle, clock }));
          const calls = { made: 0, last, after };
          const killed = new Exporter({
            ...server.cradle,
            clock,
            exportTarget: killing(target, calls),
            dataExportStore: killing(server.cradle.dataExportStore, calls),
          });
          try {
            for (let hours = 0; hours < 3; hours += 1) {
              offsetMs += 3_700_000;
              for (let pieces = 0; pieces < 6; pieces += 1) await killed.advance();
              await expectSame({ isOverlapping: true });
            }
          } catch (error) {
            if (error !== KILLED) throw error;
          }
          await expectSame({ isOverlapping: true });
          if (calls.made < calls.last) break;
          kills += 1;
          offsetMs += 600_000;
          const next = new Exporter({ ...server.cradle, clock });
          for (let hours = 0; hours < 3; hours += 1) {
            offsetMs += 3_700_000;
            for (let pieces = 0; pieces < 20; pieces += 1) await next.advance();
          }
          await expectSame();
          expect(await listNames()).toHaveLength(3);
        }
        expect(kills).toBeGreaterThan(10);
      },
    );

    it('gets everything written by two workers at once, while more comes in', async () => {
      await enable();
      let isOver = false;
      const work = async () => {
        while (!isOver) {
          await server.cradle.recordIndex.advance(100);
          await server.cradle.exporter.advance();
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      };
      const workers = [work(), work()];
      const ids = Array.from({ length: 12 }, () => randomUUID());
      for (const [at, id] of ids.entries()) {
        await log({
          id,
          input: `${at}`,
          created_at: `2026-01-0${1 + (at % 3)}T00:00:00Z`,
          spans: [{ type: 'tool', input: 'x' }],
        });
        await score(id);
        await inProject('PATCH', `/traces/${ids[Math.floor(at / 2)]}`, { log_stream_id: run_id, output: `${at}` });
      }
      isOver = true;
      await Promise.all(workers);
      await settle();
      await expectSame();
    });
  });
}

const idIs = (id: string) => ({ type: 'id', column_id: 'id', operator: 'eq', value: id });
