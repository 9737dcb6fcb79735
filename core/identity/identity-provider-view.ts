import { z } from 'zod';
import { type IdentityProviderPlugin, jsonSchemaOf } from '../plugin-sdk/index.ts';
import { getNames } from './configured-provider.ts';

/** An identity provider as the API shows it: what an operator has to know to set it up. */
export const IdentityProviderView = z
  .object({
    id: z.string(),
    label: z.string(),
    summary: z.string(),
    stability: z.enum(['experimental', 'stable', 'deprecated']),
    names: z.array(z.string()).describe('The values of `provider` that it serves, each with settings of its own.'),
    settings_schema: z
      .record(z.string(), z.unknown())
      .describe('JSON Schema of what the operator sets for one name; secrets are `writeOnly`.'),
  })
  .meta({ id: 'IdentityProvider' });
export type IdentityProviderView = z.output<typeof IdentityProviderView>;

export const IdentityProviderList = z
  .object({ identity_providers: z.array(IdentityProviderView) })
  .meta({ id: 'IdentityProviderList' });

export function identityProviderView(plugin: IdentityProviderPlugin): IdentityProviderView {
  const { id, label, summary, stability, settings } = plugin;
  return { ...{ id, label, summary, stability }, names: [...getNames(plugin)], settings_schema: { ...jsonSchemaOf(settings) } };
}
