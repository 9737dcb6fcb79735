import { z } from 'zod';

export const MESSAGE_ROLES = ['agent', 'assistant', 'developer', 'function', 'system', 'tool', 'user'] as const;

const ToolCall = z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) });

/** A part of a type we do not know is kept as it came. */
const ContentPart = z.looseObject({ type: z.string() });

/** One message of a conversation with a model. */
export const Message = z
  .looseObject({
    content: z.union([z.string(), z.array(ContentPart)]),
    role: z.enum(MESSAGE_ROLES),
    tool_call_id: z.string().nullish(),
    tool_calls: z.array(ToolCall).nullish(),
  })
  .meta({ id: 'Message' });

/** One retrieved chunk. `page_content` is an older spelling of `content`. */
export const RetrievedDocument = z
  .looseObject({
    content: z.string().optional(),
    page_content: z.string().optional(),
    metadata: z.looseObject({}).nullish(),
  })
  .meta({ id: 'Document' });

export const Text = z.string().nullish();
const OneOrMoreMessages = z.union([z.string(), z.array(Message), Message]).nullish();
const Documents = z.union([z.array(RetrievedDocument), z.array(z.string()), RetrievedDocument, z.string()]).nullish();

/** What a step may be given and what it may answer, by record type (companion A6, with the leniency it asks for). */
export const PAYLOADS = {
  trace: { input: Text, output: Text },
  workflow: {
    input: OneOrMoreMessages,
    output: z.union([z.string(), Message, z.array(Message), z.array(RetrievedDocument)]).nullish(),
  },
  agent: {
    input: OneOrMoreMessages,
    output: z.union([z.string(), Message, z.array(Message), z.array(RetrievedDocument)]).nullish(),
  },
  llm: { input: OneOrMoreMessages, output: z.union([z.string(), Message]).nullish() },
  retriever: { input: Text, output: Documents },
  tool: { input: Text, output: Text },
  control: { input: OneOrMoreMessages, output: z.union([z.string(), Message]).nullish() },
} as const;
