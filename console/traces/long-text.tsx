import { useState } from 'preact/hooks';
import { numberText } from '../kit/formatting.ts';
import { getBeginning } from './beginning.ts';

/** A text, of which a long one shows its beginning until it is opened. */
export function LongText({ text, mono = false }: { text: string; mono?: boolean }) {
  const [open, setOpen] = useState(false);
  const beginning = getBeginning(text);
  const isLong = beginning.length < text.length;
  return (
    <>
      <div class={mono ? 'long-text font-monospace' : 'long-text'} dir={mono ? undefined : 'auto'}>
        {open ? text : beginning}
      </div>
      {isLong && (
        <button type="button" class="btn btn-link btn-sm p-0" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show the beginning only' : `Show all ${numberText(text.length)} characters`}
        </button>
      )}
    </>
  );
}
