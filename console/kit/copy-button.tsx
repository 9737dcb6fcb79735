import { useState } from 'preact/hooks';

const SAID_MS = 1500;

/** Puts a text on the clipboard and says so for a moment. */
export function CopyButton({ text, label = 'Copy' }: { text: () => string; label?: string }) {
  const [said, setSaid] = useState<string>();
  const copy = async (): Promise<void> => {
    setSaid((await put(text())) ? 'Copied' : 'Not allowed here');
    setTimeout(() => setSaid(undefined), SAID_MS);
  };
  return (
    <button type="button" class="btn btn-sm btn-outline-secondary py-0" onClick={() => void copy()}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}

/** Browsers keep the clipboard from pages that came without encryption, except by the old way. */
async function put(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return putTheOldWay(text);
  }
}

function putTheOldWay(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}
