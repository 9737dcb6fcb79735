import { get } from '../api/client.ts';
import { type SettingsField, type SettingsSchema, toSettingsFields } from '../settings/settings-schema.ts';

/** A provider that integrations can be made for, as the API describes its operation. */
export interface Provider {
  readonly id: string;
  /** Its label, and its models. */
  readonly label: string;
  readonly summary: string;
  readonly fields: readonly SettingsField[];
}

export interface ApiDescription {
  readonly paths: Readonly<Record<string, { readonly put?: PutOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, SettingsSchema>> };
}

interface PutOperation {
  readonly 'x-integration': Pick<Provider, 'label' | 'summary'>;
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: { readonly $ref?: string } } } };
}

/** The available providers with their settings: the list names them, the API's own description says what they take. */
export async function listProviders(signal?: AbortSignal): Promise<readonly Provider[]> {
  const [{ integrations }, description] = await Promise.all([
    get<{ readonly integrations: readonly string[] }>('/integrations/available', { signal }),
    get<ApiDescription>('/openapi.json', { signal }),
  ]);
  return integrations.map((id) => getProvider(id, description)).sort((a, b) => a.label.localeCompare(b.label));
}

/** A provider as the API describes the operation that sets its integration. */
export function getProvider(id: string, { paths, components }: ApiDescription): Provider {
  const put = paths[`/v2/integrations/${id}`]?.put;
  const reference = put?.requestBody.content['application/json'].schema.$ref;
  const schema = components.schemas[reference?.split('/').at(-1) ?? ''] ?? {};
  const { label = id, summary = '' } = put?.['x-integration'] ?? {};
  return { id, label, summary, fields: toSettingsFields(schema) };
}
