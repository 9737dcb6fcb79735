import { z } from 'zod';
import { type PayloadForm, type RecordType, recordType } from '../catalogue/span-types.ts';

const ToolCall = z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) });

/** A block of a type we do not know is kept as it came. */
const ContentBlock = z.looseObject({ type: z.string() }).meta({ id: 'ContentBlock' });
const ContentBlocks = z.array(ContentBlock);

/** One message of a conversation with a model. Clients that log a call of tools alone send null for its content. */
export const Message = z
  .looseObject({
    content: z.union([z.string(), ContentBlocks]).nullable(),
    role: z.string().meta({
      description:
        'agent, assistant, developer, system, tool or user. human is kept as user, ai as assistant, function as tool, any other role as it is.',
    }),
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
const TextOrBlocks = z.union([z.string(), ContentBlocks]).nullish();
const Messages = z.union([z.string(), z.array(Message), Message]).nullish();
const Asked = z.union([z.string(), z.array(Message), Message, ContentBlocks]).nullish();
const Answered = z.union([z.string(), Message, z.array(Message), ContentBlocks, z.array(RetrievedDocument)]).nullish();
/** A control's decision, or the object it decided on, may be an object of any shape. */
const Controlled = z.union([z.string(), z.array(Message), ContentBlocks, z.looseObject({})]).nullish();
const Documents = z.union([z.array(RetrievedDocument), z.array(z.string()), RetrievedDocument, z.string()]).nullish();

/** Schema of each form of an input or output (companion A6 and E5, with the leniency they ask for). */
const FORMS = {
  text: Text,
  content: TextOrBlocks,
  question: Asked,
  answer: Answered,
  messages: Messages,
  message: z.union([z.string(), Message]).nullish(),
  documents: Documents,
  anything: Controlled,
} as const satisfies Readonly<Record<PayloadForm, z.ZodType>>;

/** Schemas of the input and output of records of a type. */
export const toPayloads = (type: RecordType): { readonly input: z.ZodType; readonly output: z.ZodType } => {
  const { input, output } = recordType(type);
  return { input: FORMS[input], output: FORMS[output] };
};
