import { useState } from 'preact/hooks';
import { Dialog } from '../kit/dialog.tsx';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';

/** A key that was just made, the only time it can be seen. */
export function NewSecretDialog({ api_key, onClose }: { api_key: string; onClose: () => void }) {
  const [copied, setCopied] = useState(false);
  const copy = useAction(async () => {
    // Browsers have it on pages that came over TLS or from this machine alone.
    if (!navigator.clipboard) throw new Error('the browser does not let this page copy: select the key and copy it');
    await navigator.clipboard.writeText(api_key);
    setCopied(true);
  });
  return (
    <Dialog title="Copy the key now" onClose={onClose}>
      <p>It is kept here as a digest only: nobody can show it again.</p>
      <div class="input-group">
        <input
          class="form-control font-monospace"
          aria-label="The new API key"
          value={api_key}
          readOnly
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <button type="button" class="btn btn-primary" onClick={() => void copy.run()}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      </div>
      <p class="visually-hidden" role="status">
        {copied && 'The key was copied.'}
      </p>
      <Failure error={copy.error} />
    </Dialog>
  );
}
