import { useState } from 'preact/hooks';
import type { CreatedApiKey } from '../../core/access/api-key.ts';
import { post } from '../api/client.ts';
import { Empty, Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import type { Place } from './level.ts';
import { SNIPPETS } from './snippets.ts';

/** Instructions for a log stream without records: how to send it the first trace. It goes away by itself when one has come. */
export function FirstTrace({ place }: { place: Place }) {
  const [key, setKey] = useState<string>();
  const [shown, setShown] = useState(SNIPPETS[0]!);
  const make = useAction(async () => setKey(await makeKey(place)));
  const address = new URL('.', document.baseURI).href.replace(/\/$/, '');
  const text = shown.text({ ...place, log_stream_id: place.run_id, address, key: key ?? '$TOUCHSTONE_API_KEY' });
  return (
    <Empty title="Send the first trace">
      <p>
        This log stream is empty. Send a trace by one of these ways; the page shows it as soon as it is here.{' '}
        <span role="status" class="text-body-secondary">
          Waiting …
        </span>
      </p>
      <fieldset class="btn-group btn-group-sm mb-2" aria-label="Ways to send traces">
        {SNIPPETS.map((one) => (
          <button
            key={one.label}
            type="button"
            class={`btn btn-outline-secondary ${one === shown ? 'active' : ''}`}
            aria-pressed={one === shown}
            onClick={() => setShown(one)}
          >
            {one.label}
          </button>
        ))}
      </fieldset>
      <pre class="snippet mb-2">
        <code>{text}</code>
      </pre>
      <div class="d-flex gap-2 align-items-center">
        <CopyButton text={text} />
        <button type="button" class="btn btn-sm btn-primary" disabled={make.busy || key !== undefined} onClick={() => make.run()}>
          Put in a new API key
        </button>
        <span class="small text-body-secondary" role="status">
          {key ? 'Keep the key now: it is not shown again.' : 'It may write to this project, and to no other.'}
        </span>
      </div>
      <Failure error={make.error} />
    </Empty>
  );
}

async function makeKey({ project_id, run_id }: Place): Promise<string> {
  const description = `Sends to log stream ${run_id}`;
  const { api_key } = await post<CreatedApiKey>('/users/api_keys', { description, project_id, max_role: 'editor' });
  return api_key;
}

function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState<string>();
  const copy = useAction(async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  });
  return (
    <>
      <button type="button" class="btn btn-sm btn-outline-secondary" onClick={() => copy.run()}>
        {copied === text ? 'Copied' : 'Copy'}
      </button>
      <Failure error={copy.error} />
    </>
  );
}
