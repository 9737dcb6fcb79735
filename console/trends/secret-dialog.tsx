import { Dialog } from '../kit/dialog.tsx';

/** Shown once: the service does not tell it again. */
export const SecretDialog = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <Dialog title="Secret of the signatures" onClose={onClose}>
    <p>Whoever takes what is sent checks the signature by this secret (Standard Webhooks). Keep it now: it is not shown again.</p>
    <pre class="p-2 border rounded user-select-all">{secret}</pre>
  </Dialog>
);
