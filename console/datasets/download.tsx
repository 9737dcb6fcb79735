import type { Dataset } from '../../core/datasets/dataset.ts';
import type { WrittenFormat } from '../../core/datasets/files/file-format.ts';
import { send } from '../api/client.ts';
import { Dialog } from '../kit/dialog.tsx';
import { Failure } from '../kit/notices.tsx';
import { saveFile } from '../kit/save-file.ts';
import { useAction } from '../kit/use-action.ts';

const FORMATS: readonly { readonly format: WrittenFormat; readonly label: string }[] = [
  { format: 'csv', label: 'CSV' },
  { format: 'jsonl', label: 'JSON lines' },
  { format: 'json', label: 'JSON' },
];

export function DownloadDialog({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  const fetching = useAction(async (format: WrittenFormat) => {
    const reply = await send('GET', `/datasets/${dataset.id}/download`, { query: { format } });
    saveFile(await reply.blob(), `${dataset.name}.${format}`);
  });
  return (
    <Dialog title="Download" onClose={onClose}>
      <p>
        The current version as a file. JSON and JSON lines give every value back exactly; in CSV, cells that a spreadsheet would
        run are made harmless.
      </p>
      <Failure error={fetching.error} />
      <div class="d-flex gap-2">
        {FORMATS.map(({ format, label }) => (
          <button
            key={format}
            type="button"
            class="btn btn-outline-secondary"
            disabled={fetching.busy}
            onClick={() => void fetching.run(format)}
          >
            {label}
          </button>
        ))}
      </div>
    </Dialog>
  );
}
