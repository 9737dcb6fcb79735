import { z } from '../../core/plugin-sdk/index.ts';
import { toFileLabel } from './file-labels.ts';

const ToolCall = z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.string() }) });
const Part = z.looseObject({ type: z.string() });
const Message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(Part)]).nullish(),
  tool_calls: z.array(ToolCall).nullish(),
});
const Chunk = z.union([
  z.string(),
  z.looseObject({ content: z.string() }).transform(({ content }) => content),
  z.looseObject({ page_content: z.string() }).transform(({ page_content }) => page_content),
]);
/** A content block is no message. */
const Block = Part.extend({ role: z.undefined().optional() });
type Message = z.output<typeof Message>;

/**
 * Text of a record's input or output, as a person would read it: messages by role, chunks by number, the texts of
 * content blocks. Undefined when there is nothing.
 */
export function payloadText(payload: unknown): string | undefined {
  if (payload === null || payload === undefined) return undefined;
  if (typeof payload === 'string') return payload;
  const message = Message.safeParse(payload).data;
  if (message) return saidBy(message);
  const messages = allAs(Message, payload);
  if (messages) return messages.map((one) => `${one.role}: ${saidBy(one)}`).join('\n\n');
  return numbered(toChunks(payload)) ?? blocksText(payload) ?? JSON.stringify(payload);
}

/** Text of content blocks that searches and filters find as well, with labels for files. */
const blocksText = (payload: unknown): string | undefined =>
  allAs(Block, payload)
    ?.flatMap((block) => (typeof block.text === 'string' || isFile(block) ? [partText(block)] : []))
    .join('\n');

/** The texts of retrieved documents; none when it is something else. */
export function toChunks(payload: unknown): string[] {
  return allAs(Chunk, Array.isArray(payload) ? payload : [payload]) ?? [];
}

/** Stops at the first item that is something else: there may be millions, and each would make an issue. */
function allAs<S extends z.ZodType>(schema: S, payload: unknown): z.output<S>[] | undefined {
  if (!Array.isArray(payload) || payload.length === 0) return undefined;
  const items: z.output<S>[] = [];
  for (const item of payload) {
    const parsed = schema.safeParse(item);
    if (!parsed.success) return undefined;
    items.push(parsed.data);
  }
  return items;
}

/** Chunks as `[1] …`; undefined when there are none. */
export const numbered = (chunks: readonly string[]): string | undefined =>
  chunks.length > 0 ? chunks.map((chunk, index) => `[${index + 1}] ${chunk}`).join('\n\n') : undefined;

function saidBy({ content, tool_calls }: Message): string {
  const parts = typeof content === 'string' ? [content] : (content ?? []).map(partText);
  const calls = (tool_calls ?? []).map(({ function: { name, arguments: given } }) => `[calls ${name}(${given})]`);
  return [...parts, ...calls].filter((line) => line !== '').join('\n');
}

function partText(part: z.output<typeof Part>): string {
  if (typeof part.text === 'string') return part.text;
  return isFile(part) ? toFileLabel(part) : `[${part.type}]`;
}

const isFile = (part: z.output<typeof Part>): part is z.output<typeof Part> & { file_id: string } =>
  part.type === 'file' && typeof part.file_id === 'string';
