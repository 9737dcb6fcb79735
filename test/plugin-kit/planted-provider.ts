import {
  type CompletionRequest,
  defineModelProvider,
  type ModelProvider,
  type ModelProviderPlugin,
  type PluginHost,
  type z,
} from '../../core/plugin-sdk/index.ts';
import type { ModelProviderCase } from '../../plugin-kit/model-provider/provider-case.ts';
import { sampleProvider } from '../../plugin-kit/templates/model_provider/index.ts';
import { sampleProviderKit } from '../../plugin-kit/templates/model_provider/kit.ts';

/** One mistake an author may make, and the check that has to name it. */
export interface PlantedFault<Case> {
  readonly what: string;
  /** The whole name of the check that has to be red. */
  readonly found: string;
  /** Makes the broken case anew: some faults keep state. */
  readonly make: () => Case;
}

export type Settings = z.output<typeof sampleProvider.settings>;
export type SampleCase = ModelProviderCase<typeof sampleProvider.settings>;
type Head = Partial<Parameters<typeof defineModelProvider<typeof sampleProvider.settings>>[0]>;
type Around = (made: ModelProvider, host: PluginHost, settings: Settings) => Partial<ModelProvider>;

/** The sample with other parts of its plugin object. */
export const withHead = (head: Head): SampleCase => ({
  ...sampleProviderKit,
  plugin: defineModelProvider({ ...sampleProvider, ...head }),
});

/** The sample with an object in place of its plugin that the SDK did not make. */
export const withPlugin = (plugin: object): SampleCase => ({
  ...sampleProviderKit,
  plugin: plugin as ModelProviderPlugin<typeof sampleProvider.settings>,
});

/** The sample with other methods. */
export const withMethods = (around: Around): SampleCase =>
  withHead({
    create: (host, settings) => {
      const made = sampleProvider.create(host, settings);
      return { ...made, ...around(made, host, settings) };
    },
  });

/** The sample with what it asks changed on the way. */
export const withRequest = (change: (request: CompletionRequest) => Partial<CompletionRequest>): SampleCase =>
  withMethods((made) => ({ complete: (request) => made.complete({ ...request, ...change(request) }) }));

/** The sample with its way out replaced. */
export const withFetch = (fetch: (host: PluginHost, settings: Settings) => typeof globalThis.fetch): SampleCase =>
  withHead({ create: (host, settings) => sampleProvider.create({ ...host, fetch: fetch(host, settings) }, settings) });
