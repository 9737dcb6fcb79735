/** Parameters of a call that steer how the model writes, by their names in a request. */
export const MODEL_PARAMETERS = [
  'temperature',
  'top_p',
  'top_k',
  'frequency_penalty',
  'presence_penalty',
  'stop',
  'seed',
  'reasoning_effort',
  'verbosity',
] as const;
export type ModelParameter = (typeof MODEL_PARAMETERS)[number];

/** Those that a provider has to say that it sends. */
export const OPTIONAL_PARAMETERS = [
  'top_k',
  'frequency_penalty',
  'presence_penalty',
  'reasoning_effort',
  'verbosity',
] as const satisfies readonly ModelParameter[];
export type OptionalParameter = (typeof OPTIONAL_PARAMETERS)[number];
