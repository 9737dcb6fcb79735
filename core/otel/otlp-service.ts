import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { type Pause, runInSteps } from '../kernel/slices.ts';
import type { RunContext } from '../projects/run-context.ts';
import { destinations, type OtlpDestination, type OtlpHeaders } from './destination.ts';
import { DestinationBudget, type DestinationDeps, DestinationFinder } from './destination-finder.ts';
import type { Dialects } from './dialects/dialects.ts';
import { readLogRequest } from './logs/read-log-request.ts';
import type { MetricIntake } from './metrics/metric-intake.ts';
import { toUnkeptWarning } from './metrics/metric-outcome.ts';
import { readMetricPoints } from './metrics/metric-points.ts';
import type { Sha256 } from './otel-ids.ts';
import { OtelWriter, type OtelWriterDeps } from './otel-writer.ts';
import type { OtlpCodec, OtlpEncoding, OtlpOutcome, OtlpSignal } from './otlp-codec.ts';
import { mapInSlices } from './spans/map-slices.ts';
import type { PricesOf } from './spans/span-metrics.ts';
import { toOutcome } from './spans/span-refusal.ts';
import { MAX_TEXT } from './storable.ts';

export interface OtlpDeps extends DestinationDeps, OtelWriterDeps {
  readonly otlpCodec: OtlpCodec;
  readonly sha256: Sha256;
  readonly getPrices: PricesOf;
  readonly pause: Pause;
  readonly otelDialects: Dialects;
  readonly metricIntake: MetricIntake;
}

export interface OtlpDelivery {
  readonly headers: OtlpHeaders;
  readonly encoding: OtlpEncoding;
  readonly body: Uint8Array;
}

/** Taking in what OpenTelemetry exporters send. */
export class OtlpService {
  readonly #deps: OtlpDeps;
  readonly #finder: DestinationFinder;
  readonly #writer: OtelWriter;

  constructor(deps: OtlpDeps) {
    this.#deps = deps;
    this.#finder = new DestinationFinder(deps);
    this.#writer = new OtelWriter(deps);
  }

  /** Takes a request of any kind, over whatever it came. */
  receiveSignal(signal: OtlpSignal, caller: Caller, delivery: OtlpDelivery): Promise<OtlpOutcome> {
    if (signal === 'traces') return this.receive(caller, delivery);
    return signal === 'logs' ? this.receiveLogs(caller, delivery) : this.receiveMetrics(caller, delivery);
  }

  /**
   * Stores the spans of a request and returns how many were not taken, and why. Resolves once all that were taken are
   * durable; a request that is repeated changes nothing. Rejects with AppError: `invalid` and `too_large` as the codec
   * does; `forbidden` or `not_found` when that is what is wrong with every span; `unavailable` when a repeat may succeed.
   */
  async receive(caller: Caller, { headers, encoding, body }: OtlpDelivery): Promise<OtlpOutcome> {
    const { otlpCodec, otlpSettings, clock, sha256, getPrices, pause, otelDialects } = this.#deps;
    const ownPrefixes = otlpSettings.own_prefixes;
    const mapping = { now: clock().toISOString(), sha256, ownPrefixes, getPrices, dialects: otelDialects };
    const request = await runInSteps(otlpCodec.decode(body, encoding), pause);
    const { groups, refused } = await mapInSlices(request, destinations(headers, ownPrefixes), mapping, pause);
    const items = groups.map(({ destination, spans }) => ({ destination, items: spans }));
    const bad = [...(request.malformed ?? []), ...refused];
    return toOutcome(
      await this.#deliver(caller, items, bad, (run, spans) => this.#writer.write({ run, spans }, mapping)),
      'span',
      toWarning(groups.flatMap(({ spans }) => spans.map(({ cut_texts }) => cut_texts))),
    );
  }

  /** The same for log records, which go to the records of their spans, whether these are there already or come later. */
  async receiveLogs(caller: Caller, { headers, encoding, body }: OtlpDelivery): Promise<OtlpOutcome> {
    const { otlpCodec, otlpSettings, clock, sha256, getPrices, pause, otelDialects } = this.#deps;
    const ownPrefixes = otlpSettings.own_prefixes;
    const mapping = { ownPrefixes, getPrices, dialects: otelDialects };
    const request = await runInSteps(otlpCodec.decodeLogs(body, encoding), pause);
    const reading = { now: clock().toISOString(), sha256 };
    const { groups, refused } = await runInSteps(readLogRequest(request, destinations(headers, ownPrefixes), reading), pause);
    const bad = [...(request.malformed ?? []), ...refused];
    return toOutcome(
      await this.#deliver(caller, groups, bad, (run, logs) => this.#writer.writeLogs(run, logs, mapping)),
      'log record',
    );
  }

  /**
   * The same for metrics, of which those of model calls are kept as series by the hour. All others are named to the sender, which must not
   * look like a failure: every SDK sends them unless it is told not to. Where nothing is kept no destination is looked up, and nothing made.
   */
  async receiveMetrics(caller: Caller, { headers, encoding, body }: OtlpDelivery): Promise<OtlpOutcome> {
    const { otlpCodec, otlpSettings, sha256, pause, metricIntake } = this.#deps;
    const request = await runInSteps(otlpCodec.decodeMetrics(body, encoding), pause);
    const destinationOf = destinations(headers, otlpSettings.own_prefixes);
    const { groups, refused } = await runInSteps(readMetricPoints(request, destinationOf, sha256), pause);
    const bad = [...request.malformed, ...refused];
    return toOutcome(
      await this.#deliver(caller, groups, bad, (run, points) => metricIntake.keep(run, points)),
      'data point',
      toUnkeptWarning(request),
    );
  }

  /** Returns why items were not taken, one text for each of them; `refused` are those that were found out before. */
  async #deliver<T>(
    caller: Caller,
    groups: readonly Group<T>[],
    refused: readonly string[],
    write: (run: RunContext, items: readonly T[]) => Promise<string[]>,
  ): Promise<string[]> {
    const { destined, lost } = await this.#destine(caller, groups);
    const reasons = [...refused];
    for (const { run, group } of destined) {
      try {
        reasons.push(...(await write(run, group.items)));
      } catch (error) {
        // A run that was deleted meanwhile is of no use to its items only.
        if (!isOfDestination(error)) throw error;
        lost.push({ error, group });
      }
    }
    const [first] = lost.toSorted((a, b) => Number(b.error.kind === 'forbidden') - Number(a.error.kind === 'forbidden'));
    if (first && lost.length === groups.length && refused.length === 0) throw first.error;
    return [...reasons, ...lost.flatMap(({ error, group }) => group.items.map(() => error.message))];
  }

  async #destine<T>(caller: Caller, groups: readonly Group<T>[]) {
    const destined: { readonly run: RunContext; readonly group: Group<T> }[] = [];
    const lost: { readonly error: AppError; readonly group: Group<T> }[] = [];
    const budget = new DestinationBudget();
    for (const group of groups) {
      try {
        destined.push({ run: await this.#finder.find(caller, group.destination, budget), group });
      } catch (error) {
        if (!isOfDestination(error)) throw error;
        lost.push({ error, group });
      }
    }
    return { destined, lost };
  }
}

/** Texts that were taken in part, of all spans; the sender is told, and the record of each names them. */
function toWarning(cuts: readonly number[]): string {
  const sum = cuts.reduce((all, count) => all + count, 0);
  return sum === 0 ? '' : `${sum} texts were longer than ${MAX_TEXT} characters and are kept in part`;
}

/** Items of one destination. */
interface Group<T> {
  readonly destination: OtlpDestination;
  readonly items: readonly T[];
}

/** A name that is taken by a project that the caller does not see is one they may not write to. */
const isOfDestination = (error: unknown): error is AppError =>
  error instanceof AppError && ['forbidden', 'not_found', 'conflict'].includes(error.kind);
