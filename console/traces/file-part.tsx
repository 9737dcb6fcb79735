import { useLocation } from 'wouter-preact';
import { send } from '../api/client.ts';
import { useLoaded } from '../kit/use-loaded.ts';

/** A file that a record names: a picture is shown, sound and video are played, anything else can be saved. */
export function FilePart({ file_id, modality }: { file_id: string; modality: string | undefined }) {
  const [place] = useLocation();
  const path = `/projects/${/^\/projects\/([^/]+)/.exec(place)?.[1]}/files/${file_id}`;
  const { value, error, reload } = useLoaded(path, (signal) => loadDataUrl(path, signal));
  if (error !== undefined)
    return (
      <p class="text-body-secondary mb-1">
        The {modality ?? 'file'} cannot be loaded.{' '}
        <button type="button" class="btn btn-link btn-sm p-0" onClick={reload}>
          Retry
        </button>
      </p>
    );
  if (value === undefined) return <p class="text-body-secondary mb-1">Loading the {modality ?? 'file'} …</p>;
  if (modality === 'image') return <img class="message-picture" src={value} alt="Shown to the model" />;
  // biome-ignore lint/a11y/useMediaCaption: whoever logged it sent no captions
  if (modality === 'audio') return <audio class="message-sound" controls src={value} aria-label="Sound in the message" />;
  // biome-ignore lint/a11y/useMediaCaption: whoever logged it sent no captions
  if (modality === 'video') return <video class="message-picture" controls src={value} aria-label="Video in the message" />;
  return (
    <a download={file_id} href={value}>
      Save the {modality ?? 'file'}
    </a>
  );
}

/** As a data URL, which the content security policy lets pictures, sound and video be; the credentials go by a header, so a page cannot name the address. */
async function loadDataUrl(path: string, signal: AbortSignal): Promise<string> {
  const content = await (await send('GET', path, { signal })).blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(content);
  });
}
