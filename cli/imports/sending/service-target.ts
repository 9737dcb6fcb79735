import type { JsonObject } from '../../../core/kernel/json.ts';
import { ServiceRefusal } from '../../commands/command-error.ts';
import type { RunOf } from '../../commands/places.ts';
import type { ServiceClient } from '../../commands/service-client.ts';
import type { ImportTally } from '../import-report.ts';
import type { NumberedPrompt } from '../prompt-versions.ts';
import type { BuiltTrace, Rating } from '../to-trace.ts';
import { DatasetSender } from './dataset-sender.ts';
import { sendPrompt } from './prompt-sender.ts';
import type { DatasetRow, ImportTarget } from './target.ts';
import { toPieces } from './trace-pieces.ts';

export interface ImportPlace {
  readonly project_id: string;
  readonly run: RunOf;
}

interface Waiting {
  readonly built: BuiltTrace;
  readonly body: JsonObject;
  readonly chars: number;
  readonly ratings: readonly Rating[];
}

const BATCH_TRACES = 100;
const BATCH_CHARS = 4 * 1024 * 1024;
/** Ratings have requests of their own. */
const RATINGS_AT_ONCE = 8;
/** Sessions whose ids are remembered. */
const MAX_SESSIONS = 50_000;

/** Sends by the public API, in batches. What the service refuses is told in the report, and the rest goes on. */
export class ServiceTarget implements ImportTarget {
  readonly #client: ServiceClient;
  readonly #place: ImportPlace;
  readonly #tally: ImportTally;
  readonly #sessions = new Map<string, string>();
  #waiting: Waiting[] = [];
  #chars = 0;
  #ratings: Rating[] = [];

  constructor(client: ServiceClient, place: ImportPlace, tally: ImportTally) {
    this.#client = client;
    this.#place = place;
    this.#tally = tally;
  }

  async session(external_id: string): Promise<string> {
    const known = this.#sessions.get(external_id);
    if (known !== undefined) return known;
    const json = { ...this.#place.run, external_id };
    const { id } = await this.#client.call<{ id: string }>('POST', `${this.#project}/sessions`, { json });
    if (this.#sessions.size >= MAX_SESSIONS) this.#sessions.delete(this.#sessions.keys().next().value!);
    this.#sessions.set(external_id, id);
    this.#tally.arrived('sessions');
    return id;
  }

  async trace(built: BuiltTrace, session_id: string | undefined): Promise<void> {
    const [first, ...later] = toPieces(built);
    const body = { ...built.trace, ...(session_id !== undefined && { session_id }), spans: first!.spans };
    const chars = JSON.stringify(body).length;
    if (this.#chars + chars > BATCH_CHARS) await this.#send();
    this.#waiting.push({ built, body, chars, ratings: built.ratings });
    this.#chars += chars;
    if (this.#waiting.length >= BATCH_TRACES || later.length > 0) await this.#send();
    for (const { parent_id, spans } of later) {
      const json = { ...this.#place.run, trace_id: built.trace.id, parent_id, spans };
      await this.#tolerate(built, () => this.#client.open('POST', `${this.#project}/spans`, { json }));
    }
  }

  async rate(rating: Rating): Promise<void> {
    this.#ratings.push(rating);
    if (this.#ratings.length >= BATCH_TRACES) await this.#sendRatings();
  }

  async rows(dataset: string, rows: AsyncIterable<DatasetRow>): Promise<void> {
    await new DatasetSender(this.#client, this.#place.project_id, this.#tally).send(dataset, rows);
  }

  async prompt(versions: readonly NumberedPrompt[]): Promise<void> {
    await sendPrompt(this.#client, this.#place.project_id, versions, this.#tally);
  }

  async flush(): Promise<void> {
    await this.#send();
    await this.#sendRatings();
  }

  get #project(): string {
    return `/v2/projects/${this.#place.project_id}`;
  }

  async #send(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#chars = 0;
    if (waiting.length > 0) await this.#sendTraces(waiting);
  }

  /** A batch of which something is refused is halved, until what is refused stands alone. */
  async #sendTraces(waiting: readonly Waiting[]): Promise<void> {
    const json = { ...this.#place.run, traces: waiting.map(({ body }) => body) };
    try {
      await this.#client.open('POST', `${this.#project}/traces`, { json });
    } catch (error) {
      if (!isAboutContent(error)) throw error;
      const middle = Math.ceil(waiting.length / 2);
      if (waiting.length === 1) this.#tally.refused(error.reason, `trace ${String(waiting[0]!.built.trace.external_id)}`);
      else for (const half of [waiting.slice(0, middle), waiting.slice(middle)]) await this.#sendTraces(half);
      return;
    }
    for (const { built, ratings } of waiting) {
      this.#tally.arrived('traces');
      this.#tally.arrived('spans', built.spans.length);
      this.#tally.arrived('scores', built.scores);
      for (const rating of ratings) await this.rate(rating);
    }
  }

  async #tolerate(built: BuiltTrace, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isAboutContent(error)) throw error;
      this.#tally.refused(error.reason, `spans of trace ${String(built.trace.external_id)}`);
    }
  }

  async #sendRatings(): Promise<void> {
    const ratings = this.#ratings;
    this.#ratings = [];
    for (let at = 0; at < ratings.length; at += RATINGS_AT_ONCE)
      await Promise.all(ratings.slice(at, at + RATINGS_AT_ONCE).map((rating) => this.#sendRating(rating)));
  }

  async #sendRating(rating: Rating): Promise<void> {
    try {
      await this.#client.open('POST', `${this.#project}/feedback`, { json: { ...this.#place.run, ...rating } });
      this.#tally.arrived('ratings');
    } catch (error) {
      if (!isAboutContent(error)) throw error;
      this.#tally.refused(error.reason, `rating ${rating.name} of record ${rating.record_id}`);
    }
  }
}

/** Statuses of requests that are refused for what they hold, so that others may do better. */
const ABOUT_CONTENT = new Set([400, 404, 409, 413, 422]);

const isAboutContent = (error: unknown): error is ServiceRefusal =>
  error instanceof ServiceRefusal && ABOUT_CONTENT.has(error.status);
