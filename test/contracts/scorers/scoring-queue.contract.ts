import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deferred } from '../../../core/kernel/work-queue.ts';
import type { ScoringJob, ScoringQueue } from '../../../core/scorers/scoring/scoring-queue.ts';
import { eventually } from '../../setup/timing.ts';
import type { Opened } from '../opened.ts';

export interface OpenedQueue extends Opened<ScoringQueue> {
  /** Puts jobs in as a store does: with a transaction of its own that has committed. */
  enqueue(jobs: readonly ScoringJob[]): Promise<void>;
}

const job = (): ScoringJob => ({ project_id: randomUUID(), run_id: randomUUID(), trace_ids: [randomUUID(), randomUUID()] });
const byRun = (a: ScoringJob, b: ScoringJob): number => (a.run_id < b.run_id ? -1 : 1);
const GRACE_MS = 5_000;
/** Queues pause before they repeat a job, longer each time. */

export function scoringQueueContract(adapter: string, open: () => Promise<OpenedQueue>): void {
  describe(`ScoringQueue, ${adapter}`, () => {
    let opened: OpenedQueue;
    let queue: ScoringQueue;
    beforeEach(async () => {
      opened = await open();
      queue = opened.port;
    });
    afterEach(() => opened.close());

    const nobody = async (): Promise<void> => expect.unreachable('no job is given up here');

    it('hands out every job, those that waited and those that come later', async () => {
      const [early, late] = [Array.from({ length: 30 }, job), Array.from({ length: 30 }, job)];
      const seen: ScoringJob[] = [];
      await opened.enqueue(early);
      await queue.work(async (one) => void seen.push(one), nobody);
      await opened.enqueue(late);
      await eventually(() => expect(seen).toHaveLength(60));
      expect(seen.toSorted(byRun)).toEqual([...early, ...late].toSorted(byRun));
      await eventually(async () => expect(await queue.depth()).toBe(0));
    });

    it('counts what waits and what is under way', async () => {
      const gate = Promise.withResolvers<void>();
      const jobs = Array.from({ length: 5 }, job);
      await opened.enqueue(jobs);
      await eventually(async () => expect(await queue.depth()).toBe(5));
      let begun = 0;
      await queue.work(async () => {
        begun += 1;
        await gate.promise;
      }, nobody);
      await eventually(() => expect(begun).toBeGreaterThan(0));
      await eventually(async () => expect(await queue.depth()).toBe(5));
      gate.resolve();
      await eventually(async () => expect(await queue.depth()).toBe(0));
    });

    it('repeats a job that rejects, gives up one that always does, exactly once, and goes on with the others', async () => {
      const [shaky, hopeless, sound] = [job(), job(), job()];
      const tries = new Map<string, number>();
      const givenUp: ScoringJob[] = [];
      const done: ScoringJob[] = [];
      await queue.work(
        async (one) => {
          const count = (tries.get(one.run_id) ?? 0) + 1;
          tries.set(one.run_id, count);
          if (one.run_id === hopeless.run_id || (one.run_id === shaky.run_id && count === 1)) throw new Error('not this time');
          done.push(one);
        },
        async (one) => void givenUp.push(one),
      );
      await opened.enqueue([hopeless, shaky]);
      await eventually(() => expect(givenUp).toEqual([hopeless]));
      await opened.enqueue([sound]);
      await eventually(() => expect(done.toSorted(byRun)).toEqual([shaky, sound].toSorted(byRun)));
      expect(tries.get(shaky.run_id)).toBe(2);
      expect(tries.get(hopeless.run_id)).toBeGreaterThan(1);
      expect(givenUp).toEqual([hopeless]);
    });

    it('hands out each trace of many small jobs of one run once, and repeats alone what fails among them', async () => {
      const [{ project_id, run_id }, session_id] = [job(), randomUUID()];
      const small = Array.from({ length: 12 }, (_, at) => ({
        ...{ project_id, run_id, trace_ids: [randomUUID()] },
        ...(at === 3 ? { session_ids: [session_id] } : {}),
      }));
      const bad = small[5]!.trace_ids[0]!;
      const done: string[] = [];
      const givenUp: ScoringJob[] = [];
      await opened.enqueue(small);
      await queue.work(
        async ({ trace_ids, session_ids = [] }) => {
          if (trace_ids.includes(bad)) throw new Error('one of them cannot be done');
          done.push(...trace_ids, ...session_ids);
        },
        async (one) => void givenUp.push(one),
      );
      await eventually(() => expect(givenUp).toEqual([small[5]]));
      const expected = [...small.flatMap(({ trace_ids }) => trace_ids), session_id].filter((id) => id !== bad);
      await eventually(() => expect(done.toSorted()).toEqual(expected.toSorted()));
    });

    it('takes no further jobs once it is told to stop, and waits for those under way', async () => {
      const gate = Promise.withResolvers<void>();
      const [begun, ended]: [string[], string[]] = [[], []];
      await queue.work(async ({ run_id }) => {
        begun.push(run_id);
        await gate.promise;
        ended.push(run_id);
      }, nobody);
      await opened.enqueue(Array.from({ length: 20 }, job));
      await eventually(() => expect(begun).not.toEqual([]));
      const stopped = queue.stop(GRACE_MS).then(() => [...ended]);
      setImmediate(gate.resolve);
      expect(await stopped).toEqual(begun);
      expect(begun.length).toBeLessThan(20);
    });

    it('waits no longer than it was told to, and tells the job that it is over', async () => {
      const gate = Promise.withResolvers<void>();
      let told: AbortSignal | undefined;
      await queue.work(async (_one, signal) => {
        told = signal;
        await gate.promise;
      }, nobody);
      await opened.enqueue([job()]);
      await eventually(() => expect(told).toBeDefined());
      expect(told!.aborted).toBe(false);
      await queue.stop(100);
      await eventually(() => expect(told!.aborted).toBe(true));
      gate.resolve();
    });

    it('hands out the job of one project while jobs of another one hold all that they may, and do not end', async () => {
      const gate = Promise.withResolvers<void>();
      const [greedy, neighbour] = [randomUUID(), randomUUID()];
      const begun: string[] = [];
      await opened.enqueue(Array.from({ length: 40 }, () => ({ ...job(), project_id: greedy })));
      await queue.work(async ({ project_id }) => {
        begun.push(project_id);
        if (project_id === greedy) await gate.promise;
      }, nobody);
      await eventually(() => expect(begun.length).toBeGreaterThan(0));
      await opened.enqueue([{ ...job(), project_id: neighbour }]);
      await eventually(() => expect(begun).toContain(neighbour));
      expect(begun.filter((id) => id === greedy).length).toBeLessThan(40);
      gate.resolve();
      await eventually(async () => expect(await queue.depth()).toBe(0));
    });

    it('hands out the job of one project while three others hold all that they may, and do not end', async () => {
      const gate = Promise.withResolvers<void>();
      const [neighbour, ...hostile] = Array.from({ length: 4 }, () => randomUUID());
      const begun: string[] = [];
      for (const project_id of hostile) await opened.enqueue(Array.from({ length: 20 }, () => ({ ...job(), project_id })));
      await queue.work(async ({ project_id }) => {
        begun.push(project_id);
        if (project_id !== neighbour) await gate.promise;
      }, nobody);
      await eventually(() => expect(new Set(begun)).toEqual(new Set(hostile)));
      await opened.enqueue([{ ...job(), project_id: neighbour! }]);
      await eventually(() => expect(begun).toContain(neighbour));
      expect(begun.length).toBeLessThan(60);
      gate.resolve();
      await eventually(async () => expect(await queue.depth()).toBe(0));
    });

    it('takes turns over projects, whoever came first', async () => {
      const [first, second] = [randomUUID(), randomUUID()];
      const done: string[] = [];
      await opened.enqueue([
        ...Array.from({ length: 60 }, () => ({ ...job(), project_id: first })),
        ...Array.from({ length: 5 }, () => ({ ...job(), project_id: second })),
      ]);
      await queue.work(async ({ project_id }) => void done.push(project_id), nobody);
      await eventually(() => expect(done).toHaveLength(65));
      expect(done.lastIndexOf(second)).toBeLessThan(40);
    });

    it('hands out again what a job defers, as often as it does, without giving it up', async () => {
      const [original, other] = [job(), job()];
      const seen: number[] = [];
      await queue.work(async (one) => {
        if (one.run_id !== original.run_id) return;
        seen.push(one.trace_ids.length);
        const rest = { ...one, trace_ids: [...one.trace_ids, randomUUID()] };
        if (seen.length < 8) throw new Deferred(rest, 1, 'later');
      }, nobody);
      await opened.enqueue([original, other]);
      await eventually(() => expect(seen).toEqual([2, 3, 4, 5, 6, 7, 8, 9]));
      await eventually(async () => expect(await queue.depth()).toBe(0));
    });

    it('hands out a job that is put in by itself', async () => {
      const [one, seen]: [ScoringJob, ScoringJob[]] = [job(), []];
      await queue.put(one);
      await queue.work(async (given) => void seen.push(given), nobody);
      await eventually(() => expect(seen).toEqual([one]));
    });

    it('can be stopped before anybody works and twice', async () => {
      await queue.stop(GRACE_MS);
      await queue.stop(GRACE_MS);
    });
  });
}
