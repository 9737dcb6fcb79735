import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome, Program, SandboxUse } from '../../core/scorers/scoring/code-sandbox.ts';
import type { ChildPool } from './child-pool.ts';
import { RECORD_MARK } from './kernel.ts';
import type { Reply, Trouble } from './protocol.ts';
import type { SandboxEngine, SandboxSettings } from './sandbox-settings.ts';

interface Chunk {
  readonly start: number;
  readonly end: number;
}

/** A program, its inputs, and the project that it runs for. */
export interface Run {
  readonly program: Program;
  readonly records: readonly string[];
  readonly use: SandboxUse;
  readonly engine: SandboxEngine;
}

let isolates = 0;
const newIsolate = (): number => {
  isolates += 1;
  return isolates;
};

/**
 * One call of `run`. Records go to a process many at a time; what such a chunk does not bring home is run again record by
 * record, each in an isolate of its own, so that only the guilty one is marked.
 */
export class ProgramRun {
  readonly #pool: ChildPool;
  readonly #settings: SandboxSettings;
  readonly #program: Program;
  readonly #records: readonly string[];
  readonly #use: SandboxUse;
  readonly #engine: SandboxEngine;
  readonly #outcomes: Outcome[];
  readonly #isolate = newIsolate();
  /** Set when the program cannot be loaded, or is stopped: no record had a part in that, so it holds for all to come. */
  #verdict: Outcome | undefined;

  constructor(pool: ChildPool, settings: SandboxSettings, { program, records, use, engine }: Run) {
    this.#pool = pool;
    this.#settings = settings;
    this.#program = program;
    this.#records = records;
    this.#use = use;
    this.#engine = engine;
    this.#outcomes = new Array<Outcome>(records.length);
  }

  async outcomes(): Promise<Outcome[]> {
    const chunks = cutIntoChunks(this.#records, this.#settings);
    // The workers take from one iterator: bounded memory, and as many processes as there are.
    const work = async (): Promise<void> => {
      for (const chunk of chunks) await this.#score(chunk);
    };
    await Promise.all(Array.from({ length: this.#settings.children }, work));
    return this.#outcomes;
  }

  async #score({ start, end }: Chunk): Promise<void> {
    let next = start;
    while (next < end && !this.#verdict && end - start > 1) {
      const reply = await this.#ask(this.#isolate, next, end);
      if (reply.kind !== 'scored') {
        if (reply.kind === 'program') this.#verdict ??= reply.outcome;
        break;
      }
      for (const outcome of reply.outcomes.slice(0, end - next)) this.#note(next++, outcome);
    }
    for (; next < end; next += 1) {
      if (this.#verdict) this.#outcomes[next] = this.#verdict;
      else this.#note(next, await this.#alone(next));
    }
  }

  #note(index: number, outcome: Outcome): void {
    this.#outcomes[index] = outcome;
    this.#verdict ??= this.#use.verdictAfter?.(outcome);
  }

  async #alone(index: number): Promise<Outcome> {
    const { max_record_chars } = this.#settings;
    if (this.#records[index]!.length > max_record_chars) {
      return { kind: 'out_of_memory', message: `the record is longer than ${max_record_chars} characters` };
    }
    const reply = await this.#askAlone(index);
    if (reply.kind === 'scored') return reply.outcomes[0]!;
    const outcome = reply.kind === 'program' ? reply.outcome : this.#toOutcome(reply);
    if (reply.kind === 'program' || (reply.kind === 'trouble' && reply.at === 'load')) this.#verdict ??= outcome;
    return outcome;
  }

  /** A process may be lost for reasons of its own. Twice with the same record, and the record is the reason. */
  async #askAlone(index: number): Promise<Reply> {
    const reply = await this.#ask(newIsolate(), index, index + 1);
    if (reply.kind !== 'trouble' || reply.trouble !== 'lost') return reply;
    // Whatever killed it may have killed its siblings, and we need a moment to notice.
    await sleep(50);
    return this.#ask(newIsolate(), index, index + 1);
  }

  async #ask(isolate: number, start: number, end: number): Promise<Reply> {
    const { signal } = this.#use;
    const child = await this.#pool.acquire(this.#engine, this.#use);
    const kill = (): void => void child.kill();
    signal?.addEventListener('abort', kill, { once: true });
    let reply: Reply | undefined;
    try {
      reply = await child.ask({ isolate, program: this.#program }, encode(this.#records.slice(start, end)));
      signal?.throwIfAborted();
      return reply;
    } finally {
      signal?.removeEventListener('abort', kill);
      this.#pool.release(child, this.#use, reply?.kind === 'trouble' && !signal?.aborted);
    }
  }

  #toOutcome(reply: Exclude<Reply, { kind: 'scored' | 'program' }>): Outcome {
    const { run_ms, memory_mb } = this.#settings;
    const trouble: Trouble['trouble'] = reply.kind === 'trouble' ? reply.trouble : 'broken';
    if (trouble === 'timed_out') return { kind: 'timed_out', message: `the scorer ran longer than ${run_ms} ms` };
    if (trouble === 'broken') return { kind: 'threw', message: 'the scorer broke the process that ran it' };
    // `lost` too: V8 ends the process when an allocation fails.
    return { kind: 'out_of_memory', message: `the scorer used more than ${memory_mb} MB of memory` };
  }
}

/** In UTF-8, with a mark between them: read as it is, with no text made of all of them on the way. */
function encode(records: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(records.reduce((sum, record) => sum + Buffer.byteLength(record) + 1, 0));
  let at = 0;
  for (const record of records) {
    at += bytes.write(record, at);
    at += bytes.write(RECORD_MARK, at);
  }
  return bytes.subarray(0, -1);
}

function* cutIntoChunks(records: readonly string[], settings: SandboxSettings): Generator<Chunk, undefined> {
  let start = 0;
  let chars = 0;
  for (let end = 0; end < records.length; end += 1) {
    const { length } = records[end]!;
    if (end > start && (end - start >= settings.chunk_records || chars + length > settings.chunk_chars)) {
      yield { start, end };
      start = end;
      chars = 0;
    }
    chars += length;
  }
  if (start < records.length) yield { start, end: records.length };
}
