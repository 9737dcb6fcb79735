import type { Message } from '../traces/payload.ts';

const ANSWERS = new Set(['assistant', 'agent']);

/** Messages added to a conversation since the model spoke last: applications send all of it again with every turn. */
export function newMessages(messages: readonly Message[]): readonly Message[] {
  const added = messages.slice(messages.findLastIndex(({ role }) => ANSWERS.has(role)) + 1);
  return added.length === 0 ? messages : added;
}
