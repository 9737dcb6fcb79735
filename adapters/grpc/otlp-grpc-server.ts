import { randomUUID } from 'node:crypto';
import { type Metadata, Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, setLogger } from '@grpc/grpc-js';
import type { Caller, Origin } from '../../core/access/caller.ts';
import { getNetwork } from '../../core/access/login/network.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { stackOf } from '../../core/kernel/failure.ts';
import type { Log, WorkContext } from '../../core/kernel/ports.ts';
import type { OtlpCodec, OtlpSignal } from '../../core/otel/otlp-codec.ts';
import type { OtlpService } from '../../core/otel/otlp-service.ts';
import { AdmittedCalls, type CallLimits } from './admitted-calls.ts';
import { type GrpcStatus, toGrpcStatus } from './grpc-status.ts';

type Headers = Readonly<Record<string, string>>;

/** On whose account the bytes of a message are held. */
interface Sender {
  readonly user_id: string;
  readonly network: string;
}

export interface OtlpGrpcDeps {
  readonly service: Pick<OtlpService, 'receiveSignal'>;
  readonly codec: Pick<OtlpCodec, 'encodeOutcome'>;
  /** Of one message, after inflating. */
  readonly maxMessageBytes: number;
  readonly log: Log;
  readonly workContext: WorkContext;
  readonly limits?: Partial<CallLimits> | undefined;
  /** Rejects with AppError when the headers name nobody. */
  authenticate(headers: Headers, origin: Origin): Promise<Caller>;
  /** Holds so many bytes, until what it resolves with is called, once they may be worked on. Rejects with AppError `unavailable` when there is no room. */
  hold(sender: Sender, bytes: number): Promise<() => void>;
  /** Why every call would fail now, when that is known beforehand. */
  failure?: (() => AppError | undefined) | undefined;
  explainFailure?: ((error: unknown) => AppError | undefined) | undefined;
}

/** The services that senders call: https://github.com/open-telemetry/opentelemetry-proto, `collector/`. */
const SERVICES: Readonly<Record<OtlpSignal, string>> = {
  traces: 'opentelemetry.proto.collector.trace.v1.TraceService',
  logs: 'opentelemetry.proto.collector.logs.v1.LogsService',
  metrics: 'opentelemetry.proto.collector.metrics.v1.MetricsService',
};
const REQUEST_ID = /^[\w.:-]{1,100}$/;
const MAX_STREAMS = 128;
const IDLE_MS = 300_000;

/** OTLP over gRPC, by the same service as over HTTP. Messages are handed on as bytes: the codec of the service reads them. */
export class OtlpGrpcServer {
  /** `host:port`, as clients take it. */
  readonly target: string;
  readonly #server: Server;

  private constructor(server: Server, target: string) {
    this.#server = server;
    this.target = target;
  }

  /** Rejects with a readable Error when the address cannot be had. */
  static async listen(deps: OtlpGrpcDeps, { host, port }: { host: string; port: number }): Promise<OtlpGrpcServer> {
    // The library would write to standard error of its own accord.
    const note = (message: unknown): void => deps.log.info('gRPC library', { message: String(message) });
    setLogger({ error: note, info: note, debug: note });
    const receiver = new Receiver(deps);
    const server = new Server({
      interceptors: [receiver.calls.interceptor],
      'grpc.max_receive_message_length': deps.maxMessageBytes,
      'grpc.max_concurrent_streams': MAX_STREAMS,
      'grpc.max_connection_idle_ms': IDLE_MS,
    });
    for (const signal of Object.keys(SERVICES) as OtlpSignal[])
      server.addService({ Export: toMethod(signal) }, { Export: receiver.handlerOf(signal) });
    const address = host.includes(':') ? `[${host}]` : host;
    const bound = await new Promise<number>((resolve, reject) => {
      server.bindAsync(`${address}:${port}`, ServerCredentials.createInsecure(), (cause, actual) =>
        cause
          ? reject(new Error(`cannot listen on ${address}:${port}; set OTLP_GRPC_PORT to a free port`, { cause }))
          : resolve(actual),
      );
    });
    return new OtlpGrpcServer(server, `${address}:${bound}`);
  }

  /** Takes no new calls. Those under way may end; what is left is cut off after `limitMs`. */
  async drain({ limitMs }: { limitMs: number }): Promise<void> {
    const limit = setTimeout(() => this.#server.forceShutdown(), limitMs);
    await new Promise<void>((resolve) => this.#server.tryShutdown(() => resolve()));
    clearTimeout(limit);
  }
}

class Receiver {
  readonly #deps: OtlpGrpcDeps;
  readonly calls: AdmittedCalls;

  constructor(deps: OtlpGrpcDeps) {
    this.#deps = deps;
    this.calls = new AdmittedCalls({
      admit: (metadata, address) => this.#admit(metadata, address),
      toStatus: (error, origin) => this.#toStatus(error, origin),
      ended: (facts) => deps.log.info('gRPC call', { ...facts }),
      limits: deps.limits,
    });
  }

  handlerOf(signal: OtlpSignal): (call: ServerUnaryCall<Buffer, Uint8Array>, reply: sendUnaryData<Uint8Array>) => void {
    return (call, reply) => {
      const caller = this.calls.callerOf(call.metadata);
      void this.#deps.workContext.run({ request_id: caller.origin.request_id }, () =>
        this.#receive(signal, caller, call).then(
          (bytes) => reply(null, bytes),
          (error: unknown) => reply(this.#toStatus(error, caller.origin)),
        ),
      );
    };
  }

  async #admit(metadata: Metadata, address: string): Promise<Caller> {
    const failure = this.#deps.failure?.();
    if (failure) throw failure;
    const headers = toHeaders(metadata);
    const given = headers['x-request-id'] ?? '';
    return this.#deps.authenticate(headers, { request_id: REQUEST_ID.test(given) ? given : randomUUID(), address });
  }

  async #receive(
    signal: OtlpSignal,
    caller: Caller,
    { metadata, request }: ServerUnaryCall<Buffer, Uint8Array>,
  ): Promise<Uint8Array> {
    const { service, codec } = this.#deps;
    const sender = { user_id: caller.user_id, network: getNetwork(caller.origin.address) };
    const release = await this.#deps.hold(sender, request.length);
    try {
      const delivery = { headers: toHeaders(metadata), encoding: 'protobuf', body: request } as const;
      return codec.encodeOutcome(await service.receiveSignal(signal, caller, delivery), 'protobuf', signal);
    } finally {
      release();
    }
  }

  #toStatus(error: unknown, origin?: Origin): GrpcStatus {
    const known = error instanceof AppError ? error : this.#deps.explainFailure?.(error);
    if (!known) this.#deps.log.error('gRPC call failed', { request_id: origin?.request_id, error: stackOf(error) });
    return toGrpcStatus(known ?? error);
  }
}

const asTheyAre = (bytes: Buffer): Buffer => bytes;

const toMethod = (signal: OtlpSignal) => ({
  path: `/${SERVICES[signal]}/Export`,
  requestStream: false,
  responseStream: false,
  requestSerialize: asTheyAre,
  requestDeserialize: asTheyAre,
  responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
  responseDeserialize: asTheyAre,
});

/** Of several values of one name the first counts. Binary ones are nothing that a header says. */
const toHeaders = (metadata: Metadata): Headers =>
  Object.fromEntries(
    Object.entries(metadata.getMap()).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
