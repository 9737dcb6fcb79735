import { z } from 'zod';
import type { ToolCall } from '../plugin-sdk/index.ts';

/** A call that a model asks for, as messages hold it. */
export const MessageToolCall = z
  .object({
    id: z.string(),
    type: z.literal('function'),
    function: z.object({ name: z.string(), arguments: z.string().describe('JSON text, as the model wrote it.') }),
  })
  .meta({ id: 'MessageToolCall' });
export type MessageToolCall = z.output<typeof MessageToolCall>;

export const toToolCalls = (calls: readonly ToolCall[]): MessageToolCall[] =>
  calls.map(({ id, name, arguments: written }) => ({ id, type: 'function', function: { name, arguments: written } }));
