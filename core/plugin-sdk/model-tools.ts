import type { OptionalParameter } from './model-parameters.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool that a model may ask to have called; whoever asked the model calls it, not the provider. */
export interface ModelTool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments, an object. */
  readonly parameters: JsonSchema;
  /** Whether the arguments have to match the schema to the letter; as the service has it where absent. */
  readonly strict?: boolean;
}

/** Which tool the model has to call: as it sees fit, none, any one, or the one of this name. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** A call that a model asks for. */
export interface ToolCall {
  /** By which the result refers to it. */
  readonly id: string;
  readonly name: string;
  /** JSON text as the model wrote it: it may be none, or not match the schema. */
  readonly arguments: string;
}

/** The form that the text of a reply has to have: JSON, of the schema where there is one. */
export interface ResponseFormat {
  readonly schema?: JsonSchema;
  readonly name?: string;
  readonly description?: string;
  /** Whether the service has to keep to the schema to the letter, which some take only of schemas without optional properties. */
  readonly strict?: boolean;
}

/** A part of the contract that a provider may leave out. */
export type ProviderFeature = 'tools' | 'response_format' | OptionalParameter;
