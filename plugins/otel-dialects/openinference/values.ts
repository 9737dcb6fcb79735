import { type Source, source, unquote } from '../../../core/plugin-sdk/index.ts';

/** LlamaIndex gives its workflows as their state, and ends them by an event that is cut off: neither says what was asked or answered. */
const IS_WEAK = {
  input: (text: string): boolean => text.startsWith('{"init_state": '),
  output: (text: string): boolean => text.startsWith('StopEvent(') && text.endsWith('...'),
};

/** The value of a side. A text that is said to be JSON may be a quoted one. `weak`: only one that a call of a model says better. */
export function valueAt(rank: number, side: 'input' | 'output', weak = false): Source<string> {
  return source(rank, (reader) => {
    if (IS_WEAK[side](reader.peekText(`${side}.value`) ?? '') !== weak) return undefined;
    const text = reader.text(`${side}.value`);
    const json = reader.text(`${side}.mime_type`)?.toLowerCase().includes('json') ?? false;
    return text !== undefined && json ? unquote(text) || undefined : text;
  });
}
