import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../http/harness.ts';
import { openSpecFixture, type SpecFixture } from './interface-spec-fixture.ts';
import { HTTPValidationError } from './interface-spec-shapes.ts';

/** A statement of the specification beyond the fields of an endpoint, and what shows that it holds. */
export type Statement = readonly [says: string, holds: () => Promise<void>];

/** One test for each statement about an endpoint. */
export const statements = (endpoint: string, rows: readonly Statement[]): unknown =>
  describe(endpoint, () => {
    it.each(rows)('%s', (_, holds) => holds());
  });

/** Requests to a fixture that is there for the tests of a file. */
export function specRequests() {
  let fixture: SpecFixture;
  beforeAll(async () => {
    fixture = await openSpecFixture();
  });
  afterAll(() => fixture.close());
  const ask = (method: string, path: string, body?: unknown): Promise<Reply> => fixture.server.request(method, path, body);
  return {
    ask,
    fixture: (): SpecFixture => fixture,
    id: (name: string): string => fixture.ids[name]!,
    /** The address of the project. */
    at: (): string => `/v2/projects/${fixture.ids.project_id}`,

    /** The body of a reply that has to be a success. */
    // biome-ignore lint/suspicious/noExplicitAny: replies of every shape
    async ok(method: string, path: string, body?: unknown): Promise<any> {
      const reply = await ask(method, path, body);
      expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`).toBe(200);
      return reply.body;
    },

    async refused(method: string, path: string, body: unknown, loc: readonly unknown[]): Promise<void> {
      const reply = await ask(method, path, body);
      expect(reply.status, JSON.stringify(reply.body)).toBe(422);
      HTTPValidationError.parse(reply.body);
      expect(reply.body.detail.map((issue: { loc: unknown }) => issue.loc)).toContainEqual(loc);
    },
  };
}
