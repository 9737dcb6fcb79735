import type { WorkContext } from '../core/kernel/ports.ts';
import type { SelfTracer } from '../core/kernel/self-tracer.ts';
import type {
  CodeCall,
  CodeLanguage,
  CodeLanguagePlugin,
  CompletionPart,
  CompletionRequest,
  IdentityProvider,
  IdentityProviderPlugin,
  ModelProvider,
  ModelProviderPlugin,
  NotificationChannel,
  NotificationChannelPlugin,
  Scorer,
  ScorerAudit,
  ScorerKindPlugin,
} from '../core/plugin-sdk/index.ts';

/** By this fact of the work context the process knows whose failure reached it. */
export const PLUGIN = 'plugin';

/**
 * The plugin, with all of its code run in a work context of its name, and what it sets off by timers, events and promises with it.
 * What it asks of the host is the host's own work again.
 */
export function scopedProvider(plugin: ModelProviderPlugin, context: WorkContext, tracer: SelfTracer): ModelProviderPlugin {
  const inside = insideOf(plugin, context);
  return replacing(plugin, {
    create: (host, settings) => {
      const provider = inside(() => plugin.create(outsideOf(host, context), settings));
      return {
        ...(provider.supports && { supports: provider.supports }),
        complete: (request) =>
          tracer.span('model call', { 'gen_ai.provider.name': plugin.id }, () => inside(() => provider.complete(request))),
        ...(provider.stream && {
          stream: (request: CompletionRequest) => traced(tracer, plugin.id, readInside(inside, provider.stream!(request))),
        }),
        models: (signal) => inside(() => provider.models(signal)),
        check: (signal) => inside(() => provider.check(signal)),
      } satisfies ModelProvider;
    },
  });
}

/** The same parts, with a span from the first that is read to the last. */
async function* traced(
  tracer: SelfTracer,
  plugin_id: string,
  parts: AsyncIterable<CompletionPart>,
): AsyncGenerator<CompletionPart, void> {
  const ended = Promise.withResolvers<void>();
  const span = tracer.span('model call', { 'gen_ai.provider.name': plugin_id }, () => ended.promise);
  span.catch(() => undefined);
  try {
    yield* parts;
    ended.resolve();
  } catch (error) {
    ended.reject(error);
    throw error;
  } finally {
    ended.resolve();
  }
}

/** The parts of a stream, each made inside. */
async function* readInside(inside: Inside, parts: AsyncIterable<CompletionPart>): AsyncGenerator<CompletionPart, void> {
  const iterator = inside(() => parts[Symbol.asyncIterator]());
  try {
    for (;;) {
      const next = await inside(() => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await inside(async () => iterator.return?.());
  }
}

/** As `scopedProvider`. */
export function scopedKind(plugin: ScorerKindPlugin, context: WorkContext): ScorerKindPlugin {
  const inside = insideOf(plugin, context);
  const { surroundings, complete, refusal, upload, trial, view, autogen, audit } = plugin;
  const read = trial?.read;
  return replacing(plugin, {
    create: (kit, definition) => {
      const scorer = inside(() => plugin.create(outsideOf(kit, context), definition));
      return { score: (request) => inside(() => scorer.score(request)) } satisfies Scorer;
    },
    ...(surroundings && { surroundings: (definition) => inside(() => surroundings.call(plugin, definition)) }),
    ...(complete && { complete: (sent, scorer) => inside(() => complete.call(plugin, sent, scorer)) }),
    ...(refusal && {
      refusal: (kit, definition) => inside(() => refusal.call(plugin, outsideOf(kit, context), definition)),
    }),
    ...(upload && {
      upload: {
        ...upload,
        read: (file, fields, host) => inside(() => upload.read(file, fields, host)),
        text: (definition) => inside(() => upload.text(definition)),
      },
    }),
    ...(view && { view: { ...view, show: (definition, version) => inside(() => view.show(definition, version)) } }),
    ...(autogen && {
      autogen: {
        question: (wish) => inside(() => autogen.question(wish)),
        read: (text, wish) => inside(() => autogen.read(text, wish)),
      },
    }),
    ...(audit && { audit: scopedAudit(audit, inside) }),
    ...(trial && read && { trial: { ...trial, read: (body) => inside(() => read.call(trial, body)) } }),
  });
}

const scopedAudit = ({ labels, withLabels, range }: ScorerAudit, inside: <T>(work: () => T) => T): ScorerAudit => ({
  ...(labels && { labels: (definition) => inside(() => labels(definition)) }),
  ...(withLabels && { withLabels: (definition, order) => inside(() => withLabels(definition, order)) }),
  ...(range && { range: (definition) => inside(() => range(definition)) }),
});

/** As `scopedProvider`. */
export function scopedChannel(plugin: NotificationChannelPlugin, context: WorkContext): NotificationChannelPlugin {
  const inside = insideOf(plugin, context);
  return replacing(plugin, {
    create: (host, settings) => {
      const channel = inside(() => plugin.create(outsideOf(host, context), settings));
      return { send: (notification, signal) => inside(() => channel.send(notification, signal)) } satisfies NotificationChannel;
    },
  });
}

/** As `scopedProvider`. */
export function scopedLanguage(plugin: CodeLanguagePlugin, context: WorkContext): CodeLanguagePlugin {
  const inside = insideOf(plugin, context);
  const outside = <C extends CodeCall>(call: C): C => ({ ...call, sandbox: outsideOf(call.sandbox, context) });
  return replacing(plugin, {
    create: (host) => {
      const language = inside(() => plugin.create(outsideOf(host, context)));
      return {
        check: (call) => inside(() => language.check(outside(call))),
        run: (call) => inside(() => language.run(outside(call))),
        close: () => inside(async () => language.close?.()),
      } satisfies CodeLanguage;
    },
  });
}

/** As `scopedProvider`. */
export function scopedIdentityProvider(plugin: IdentityProviderPlugin, context: WorkContext): IdentityProviderPlugin {
  const inside = insideOf(plugin, context);
  return replacing(plugin, {
    issuers: (settings) => inside(() => plugin.issuers(settings)),
    create: (host, settings) => {
      const provider = inside(() => plugin.create(outsideOf(host, context), settings));
      const { codeFlow } = provider;
      return {
        identify: (credential, signal) => inside(() => provider.identify(credential, signal)),
        signIn: (signal) => inside(async () => provider.signIn?.(signal)),
        ...(codeFlow && {
          codeFlow: {
            authorize: (asked, signal) => inside(() => codeFlow.authorize(asked, signal)),
            redeem: (returned, signal) => inside(() => codeFlow.redeem(returned, signal)),
          },
        }),
      } satisfies IdentityProvider;
    },
  });
}

/** A plugin may be an object of a class: what is not replaced is inherited. */
const replacing = <P extends object>(plugin: P, parts: Partial<P>): P =>
  Object.create(
    plugin,
    Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, { value, enumerable: true }])),
  ) as P;

type Inside = <T>(work: () => T) => T;

const insideOf =
  ({ id }: { readonly id: string }, context: WorkContext) =>
  <T>(work: () => T): T =>
    context.run({ [PLUGIN]: id }, work);

function outsideOf<H extends object>(host: H, context: WorkContext): H {
  const functions = Object.entries(host).map(([name, part]) => {
    const isFunction = typeof part === 'function';
    return [name, isFunction ? (...args: unknown[]) => context.runWithout([PLUGIN], () => part(...args)) : part];
  });
  return Object.fromEntries(functions) as H;
}
