import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OtlpEncoding } from '../../../core/otel/otlp-codec.ts';
import { toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import type { ShortSpan } from '../../fixtures/otel/short-form.ts';
import type { TestServer } from '../../http/harness.ts';
import { newProject, records, send } from '../../http/otel/otlp-client.ts';

interface Arrival {
  readonly spans: readonly ShortSpan[];
  /** Batches of indexes of spans; those of one wave are sent at once. */
  readonly waves: readonly (readonly (readonly number[])[])[];
}

const spanId = (n: number): string => String(n + 1).padStart(16, '0');
const attributes = fc.record(
  {
    'openinference.span.kind': fc.constantFrom('LLM', 'CHAIN', 'AGENT', 'TOOL', 'RETRIEVER'),
    'input.value': fc.constantFrom('why', 'where', ''),
    'output.value': fc.constantFrom('because', 'here'),
    'llm.token_count.prompt': fc.nat(50),
    'session.id': fc.constantFrom('s1', 's2'),
    'user.id': fc.constantFrom('u1', 'u2'),
    'tag.tags': fc.subarray(['a', 'b', 'c']),
    'langfuse.trace.name': fc.constantFrom('n1', 'n2'),
    'langfuse.trace.input': fc.constantFrom('i1', 'i2'),
    'eval.dataset.output': fc.constantFrom('d1', 'd2'),
    'eval.dataset.metadata': fc.constantFrom('{"row":"1"}', '{"row":"2"}'),
    'http.request.method': fc.constantFrom('GET', 'POST'),
  },
  { requiredKeys: [] },
);

/** A tree, or a forest with holes: parents come before their children, some are never sent, some spans have not ended. */
const tree: fc.Arbitrary<ShortSpan[]> = fc
  .array(
    fc.record({ attributes, start: fc.nat(20), took: fc.option(fc.nat(50), { freq: 8 }), parent: fc.nat(), code: fc.nat(2) }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drawn) =>
    drawn.map(({ attributes: told, start, took, parent, code }, at) => ({
      spanId: spanId(at),
      name: `n${at}`,
      ...(at > 0 && { parentSpanId: spanId(parent % 7 === 0 ? 99 : parent % at) }),
      startMs: start,
      endMs: took === null ? null : start + took,
      status: { code },
      attributes: told,
    })),
  );

const arrival: fc.Arbitrary<Arrival> = tree.chain((spans) => {
  const all = spans.map((_, at) => at);
  const order = fc.tuple(fc.shuffledSubarray(all, { minLength: all.length }), fc.subarray(all));
  return fc
    .tuple(order, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 16, maxLength: 16 }))
    .map(([[first, again], sizes]) => {
      const batches: number[][] = [];
      for (let rest = [...first, ...again], at = 0; rest.length > 0; rest = rest.slice(sizes[at % 16]!), at += 1) {
        batches.push(rest.slice(0, sizes[at % 16]!));
      }
      const waves: number[][][] = [];
      for (let rest = batches, at = 15; rest.length > 0; rest = rest.slice(sizes[at % 16]!), at += 1) {
        waves.push(rest.slice(0, sizes[at % 16]!));
      }
      return { spans, waves };
    });
});

/** Whatever way the spans of a trace arrive, what is stored in the end is the same. */
export function otlpArrival(adapter: string, numRuns: number, open: () => Promise<TestServer>): void {
  describe(`a trace that arrives by OpenTelemetry, on ${adapter}`, () => {
    let server: TestServer;
    let project: { id: string };
    beforeAll(async () => {
      server = await open();
      project = await newProject(server, 'arrivals');
    });
    afterAll(() => server.close());

    const sent = async (logstream: string, spans: readonly ShortSpan[], encoding: OtlpEncoding = 'json') => {
      const reply = await send(server, toRequest({ spans }), { encoding, headers: { 'project-id': project.id, logstream } });
      expect([reply.status, reply.bytes.toString()]).toEqual([200, encoding === 'json' ? '{}' : '']);
    };
    /** Without what differs between runs and between moments. Sessions are told by what they are called. */
    const stored = async (name: string) => {
      const all = [...(await records(server, project.id, 'traces', name)), ...(await records(server, project.id, 'spans', name))];
      const sessions = new Map<string, string>();
      for (const id of new Set(all.map(({ session_id }) => session_id as string))) {
        const { body } = await server.request('GET', `/v2/projects/${project.id}/sessions/${id}`);
        sessions.set(id, body.external_id ?? 'none');
      }
      const told = all.map(({ run_id: _run, updated_at: _at, session_id, ...record }) => ({
        ...record,
        session: sessions.get(session_id),
      }));
      return told.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    };

    it('is stored the same in whichever order, however often, and however many at once', { timeout: 300_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(arrival, async ({ spans, waves }) => {
          const [whole, parts] = [randomUUID(), randomUUID()];
          await sent(whole, spans);
          for (const [at, wave] of waves.entries()) {
            const encoding = at % 2 === 0 ? 'json' : 'protobuf';
            await Promise.all(
              wave.map((batch) =>
                sent(
                  parts,
                  batch.map((index) => spans[index]!),
                  encoding,
                ),
              ),
            );
          }
          const [inParts, atOnce] = [await stored(parts), await stored(whole)];
          // A trace that was once complete stays so.
          const completed = atOnce.map((record) => ({ ...record, is_complete: inParts[0]!.is_complete || record.is_complete }));
          expect(inParts).toEqual(completed);
        }),
        { numRuns },
      );
    });
  });
}
