import type { Mailer } from '../core/access/users/mailer.ts';
import type { ConfiguredProviders } from '../core/identity/configured-provider.ts';
import type { Outbound } from '../core/integrations/outbound.ts';
import type { SecretBox } from '../core/integrations/secret-box.ts';
import type { Log, WorkContext } from '../core/kernel/ports.ts';
import type { SelfTracer } from '../core/kernel/self-tracer.ts';
import type { Price } from '../core/models/prices/price.ts';
import type { ObjectStore } from '../core/object-storage/object-store.ts';
import type { ReadSigner } from '../core/object-storage/read-signer.ts';
import type { OtlpSettings } from '../core/otel/destination-finder.ts';
import type { LoadedPlugins } from './plugins.ts';

/** Values that have to exist before anything can be wired. */
export interface Given {
  readonly version: string;
  readonly log: Log;
  readonly workContext: WorkContext;
  readonly selfTracer: SelfTracer;
  /** Names all instances on one database. */
  readonly installation: Promise<string>;
  /** The first signs, all verify. */
  readonly accessTokenSecrets: readonly string[];
  readonly socialProviders: ConfiguredProviders;
  readonly plugins: LoadedPlugins;
  /** Operator settings for plugins, by name. */
  readonly pluginSettings: Readonly<Record<string, string>>;
  /** The operator's own; they go before list prices. */
  readonly modelPrices: readonly Price[];
  readonly secretBox: SecretBox;
  readonly outbound: Outbound;
  /** The same for identity providers, which may be reached wherever the operator has set them up. */
  readonly identityOutbound: Outbound;
  readonly mailer: Mailer;
  /** Where the service is reached from outside; undefined when that is not known. */
  readonly publicUrl: string | undefined;
  readonly otlpSettings: OtlpSettings;
  /** How long nothing has to be logged to a trace for it to count as complete. */
  readonly traceIdleSeconds: number;
  /** How long nothing has to happen in a session for it to be scored. */
  readonly sessionIdleSeconds: number;
  /** How long calls of models are kept with the scores that were made of them. */
  readonly judgeCallDays: number;
  /** Records that one query may look at without being told to; 0: any number. */
  readonly maxQueryRows: number;
  /** Bytes that the files of a project may hold together. */
  readonly maxProjectFileBytes: number;
  /** How addresses of the bucket of files are made, and for how long they hold; undefined: none are. */
  readonly fileUrlSigning: { readonly signer: ReadSigner; readonly seconds: number } | undefined;
  /** Where records and scores are exported to as files; undefined: nowhere. */
  readonly exportTarget: ObjectStore | undefined;
  /** How long changes wait to be exported together. */
  readonly exportIntervalSeconds: number;
  readonly exportMergeSeconds: number;
}
