/** A name by which a model may stand in a list of prices, and whose list that is where the longer name told it. */
export interface ModelNameHint {
  readonly model: string;
  /** The id of a provider in the public list. */
  readonly provider?: string;
}

/** A name that is longer is nobody's, and not worth a look. */
const MAX_NAME = 256;
const MAX_SEGMENTS = 8;

/** Providers of the public list by the words that gateways and clouds put in front of names. */
const PROVIDERS: Readonly<Record<string, string>> = {
  openai: 'openai',
  azure: 'azure',
  azure_ai: 'azure',
  anthropic: 'anthropic',
  gemini: 'google',
  google: 'google',
  google_genai: 'google',
  vertex_ai: 'google',
  vertexai: 'google',
  bedrock: 'aws',
  bedrock_converse: 'aws',
  amazon: 'aws',
  mistral: 'mistral',
  mistralai: 'mistral',
  deepseek: 'deepseek',
  xai: 'x-ai',
  'x-ai': 'x-ai',
  cohere: 'cohere',
  groq: 'groq',
  together: 'together',
  together_ai: 'together',
  fireworks: 'fireworks',
  fireworks_ai: 'fireworks',
  perplexity: 'perplexity',
  cerebras: 'cerebras',
  moonshot: 'moonshotai',
};

/** Region of an inference profile and vendor in front of a name at Bedrock. */
const REGION = /^(?:us-gov|us|eu|apac|jp|au|ca|global)\./;
const VENDOR = /^(anthropic|amazon|meta|mistral|cohere|deepseek|openai|ai21)\./;
/** Number of a version behind a name at Bedrock, and of an alias at Vertex AI. */
const VERSION = /(?:-v\d+(?::\d+)?|:\d+|@default|@latest)$/;

/**
 * The names by which a model may be priced, as it was sent first: paths and providers in front (`openai/…`, `models/…`,
 * `publishers/google/models/…`), regions and vendors of Bedrock (`eu.anthropic.…`) and versions behind go one by one.
 */
export function listModelNames(name: string): ModelNameHint[] {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > MAX_NAME) return [];
  const names = new Map<string, ModelNameHint>([[trimmed, { model: trimmed }]]);
  let provider: string | undefined;
  const segments = trimmed.split('/').slice(0, MAX_SEGMENTS);
  for (const [at, segment] of segments.entries()) {
    const rest = segments.slice(at).join('/');
    for (const model of withoutCloud(rest)) if (!names.has(model) || provider) names.set(model, toHint(model, provider));
    provider = Object.hasOwn(PROVIDERS, segment.toLowerCase()) ? PROVIDERS[segment.toLowerCase()]! : provider;
  }
  return [...names.values()];
}

const toHint = (model: string, provider: string | undefined): ModelNameHint => (provider ? { model, provider } : { model });

function withoutCloud(name: string): string[] {
  const local = name.replace(REGION, '');
  const own = local.replace(VENDOR, '');
  return [name, local, own, own.replace(VERSION, '')];
}
