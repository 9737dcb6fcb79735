import type { JsonObject, JsonValue } from '../kernel/json.ts';
import { type ModelTool, PluginError, type ResponseFormat, type ToolChoice } from '../plugin-sdk/index.ts';

/** Tools and the form of the reply of a prompt, as providers are asked. */
export interface ModelOptions {
  readonly tools?: readonly ModelTool[];
  readonly tool_choice?: ToolChoice;
  readonly response_format?: ResponseFormat;
}

/**
 * Reads tools, their choice and the response format of settings, in the forms of the usual vendors' APIs. Throws a PluginError that
 * names what cannot be sent: a prompt is not run without a part of it.
 */
export function readModelOptions({ tools, tool_choice, response_format }: JsonObject): ModelOptions {
  const offered = Array.isArray(tools) ? tools.flatMap(toModelTools) : [];
  const choice = offered.length > 0 ? toToolChoice(tool_choice) : undefined;
  const format = toResponseFormat(response_format);
  return {
    ...(offered.length > 0 && { tools: offered }),
    ...(choice !== undefined && { tool_choice: choice }),
    ...(format && { response_format: format }),
  };
}

/** `{type: function, function: {…}}`, `{name, parameters}`, `{name, input_schema}`, or a list of Google's function declarations. */
function toModelTools(tool: JsonValue, at: number): ModelTool[] {
  const { type, function: named, function_declarations, functionDeclarations, ...own } = asObject(tool);
  const declared = function_declarations ?? functionDeclarations;
  if (Array.isArray(declared)) return declared.flatMap((one) => toModelTools(one, at));
  const { name, description, strict, parameters, input_schema, inputSchema, parametersJsonSchema } = named
    ? asObject(named)
    : own;
  const schema = parameters ?? input_schema ?? inputSchema ?? parametersJsonSchema;
  const isKnown = type === undefined || type === null || type === 'function' || (type === 'custom' && input_schema !== undefined);
  if (!isKnown || typeof name !== 'string' || name === '' || (isThere(schema) && !isObject(schema)))
    throw cannotBeSent(`tool ${at + 1} of the prompt, which is no function with a name and a JSON Schema of its arguments,`);
  return [
    {
      name,
      ...(typeof description === 'string' && { description }),
      parameters: isObject(schema) ? schema : { type: 'object', properties: {} },
      ...(typeof strict === 'boolean' && { strict }),
    },
  ];
}

const CHOICES: ReadonlyMap<string, ToolChoice> = new Map([
  ['auto', 'auto'],
  ['none', 'none'],
  ['required', 'required'],
  ['any', 'required'],
]);

/** A word, or an object that names a tool; any other text is the name of a tool. */
function toToolChoice(choice: JsonValue | undefined): ToolChoice | undefined {
  if (!isThere(choice)) return undefined;
  if (typeof choice === 'string') return CHOICES.get(choice) ?? { name: choice };
  const { type, name, function: named } = asObject(choice);
  const wanted = named ? asObject(named).name : name;
  if (typeof wanted === 'string') return { name: wanted };
  const word = typeof type === 'string' ? CHOICES.get(type) : undefined;
  if (word === undefined) throw cannotBeSent('the choice of a tool');
  return word;
}

/** `text`, `json_object`, or `json_schema` with its fields in an object of that name or beside the type. */
function toResponseFormat(format: JsonValue | undefined): ResponseFormat | undefined {
  if (!isThere(format)) return undefined;
  const { type, json_schema, ...own } = asObject(format);
  if (type === undefined || type === 'text') return undefined;
  if (type === 'json_object') return {};
  const { schema, name, description, strict } = json_schema ? asObject(json_schema) : own;
  if (
    (type !== 'json_schema' && type !== 'json') ||
    (isThere(schema) && !isObject(schema)) ||
    (type === 'json_schema' && !schema)
  )
    throw cannotBeSent('the response format');
  return {
    ...(isObject(schema) && { schema }),
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
    ...(typeof strict === 'boolean' && { strict }),
  };
}

const isThere = (value: JsonValue | undefined): value is NonNullable<JsonValue> => value !== undefined && value !== null;
const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asObject = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

const cannotBeSent = (what: string): PluginError => new PluginError('unsupported', `${what} cannot be sent`);
