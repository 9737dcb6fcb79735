import { useState } from 'preact/hooks';
import { numberText } from '../kit/formatting.ts';
import { isMarked } from '../kit/markdown/blocks.ts';
import { Markdown } from '../kit/markdown/markdown.tsx';
import { isRaw } from '../kit/markdown/raw-switch.tsx';
import { getBeginning } from './beginning.ts';

/** A text, of which a long one shows its beginning until it is opened; one in Markdown is shown as that, unless asked for as it came. */
export function LongText({ text, mono = false }: { text: string; mono?: boolean }) {
  const [open, setOpen] = useState(false);
  const beginning = getBeginning(text);
  const isLong = beginning.length < text.length;
  const shown = open ? text : beginning;
  const isRendered = !mono && !isRaw.value && isMarked(shown);
  return (
    <>
      {isRendered ? (
        <Markdown text={shown} />
      ) : (
        <div class={mono ? 'long-text font-monospace' : 'long-text'} dir={mono ? undefined : 'auto'}>
          {shown}
        </div>
      )}
      {isLong && (
        <button type="button" class="btn btn-link btn-sm p-0" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show the beginning only' : `Show all ${numberText(text.length)} characters`}
        </button>
      )}
    </>
  );
}
