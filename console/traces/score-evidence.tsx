import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { JudgeCallFile, JudgeCallView, JudgeCallViews } from '../../core/scorers/evidence/judge-call.ts';
import type { Replay } from '../../core/scorers/evidence/replay.ts';
import type { ScoreDetail } from '../../core/scorers/scores/score-detail.ts';
import { get, post } from '../api/client.ts';
import { Dialog } from '../kit/dialog.tsx';
import { costText, numberText } from '../kit/formatting.ts';
import { Failure, Show } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { scoreValueText } from '../scores/score-state.ts';
import { LongText } from './long-text.tsx';

interface EvidenceProps {
  /** The path of the record in the API. */
  readonly record: string;
  readonly detail: ScoreDetail;
}

/** The prompts and responses that a score was made from, and the same score made again. */
export function ScoreEvidence({ record, detail }: EvidenceProps) {
  const [isOpen, setOpen] = useState(false);
  const [replay, setReplay] = useState<Replay>();
  const path = `${record}/scores/${detail.scorer_version_id}`;
  const again = useAction(async () => setReplay(await post<Replay>(`${path}/replay`, { of: detail.of })));
  const button = 'btn btn-sm btn-outline-secondary';
  return (
    <>
      <div class="d-flex gap-2 mb-2">
        {detail.model !== null && (
          <button type="button" class={button} aria-haspopup="dialog" onClick={() => setOpen(true)}>
            Prompts and responses
          </button>
        )}
        <button type="button" class={button} disabled={again.busy} onClick={() => again.run()}>
          {again.busy ? 'Scoring …' : 'Score again and compare'}
        </button>
      </div>
      <Failure error={again.error} />
      {isOpen && <CallsDialog path={`${path}/calls?of=${detail.of}`} name={detail.metric_name} onClose={() => setOpen(false)} />}
      {replay && <ReplayDialog replay={replay} onClose={() => setReplay(undefined)} />}
    </>
  );
}

function CallsDialog({ path, name, onClose }: { path: string; name: string; onClose: () => void }) {
  const loaded = useLoaded(path, (signal) => get<JudgeCallViews>(path, { signal }));
  return (
    <Dialog title={`Prompts and responses of ${name}`} wide onClose={onClose}>
      <Show loaded={loaded}>
        {({ calls, is_of_score }) => (
          <>
            {calls.length === 0 && <p class="mb-0">None are kept: they are removed after some days, and when the record goes.</p>}
            {calls.length > 0 && !is_of_score && (
              <p class="alert alert-warning py-2">The record has changed since: these are of another result.</p>
            )}
            <Calls calls={calls} />
          </>
        )}
      </Show>
    </Dialog>
  );
}

const Calls = ({ calls }: { calls: readonly JudgeCallView[] }) => (
  <>
    {calls.map((call, at) => (
      <section key={at} class="mb-3" aria-label={`Call ${at + 1}`}>
        <h3 class="h6">
          Judge {call.judge + 1}
          <span class="small text-body-secondary fw-normal">{getFacts(call).map((fact) => ` · ${fact}`)}</span>
        </h3>
        {call.system && <Said by="System" text={call.system} />}
        {call.messages.map(({ role, content, files }, index) => (
          <Fragment key={index}>
            <Said by={role === 'user' ? 'Prompt' : 'Earlier response'} text={content} />
            {files && <SentFiles files={files} />}
          </Fragment>
        ))}
        {call.answer !== null && <Said by="Answer" text={call.answer} />}
        {call.failure !== null && <p class="mb-0">{call.failure}</p>}
        {call.is_cut && <p class="mb-0">The texts were too long to be kept.</p>}
      </section>
    ))}
  </>
);

const SentFiles = ({ files }: { files: readonly JudgeCallFile[] }) => (
  <div class="mb-2">
    <div class="small text-body-secondary">Files sent with it</div>
    <ol class="mb-0">
      {files.map(({ file_id, media_type, size_bytes }) => (
        <li key={file_id}>
          {media_type}, {numberText(size_bytes)} bytes, <code>{file_id}</code>
        </li>
      ))}
    </ol>
  </div>
);

const Said = ({ by, text }: { by: string; text: string }) => (
  <div class="mb-2">
    <div class="small text-body-secondary">{by}</div>
    <LongText text={text} mono />
  </div>
);

const getFacts = ({ model_alias, model, temperature, input_tokens, output_tokens, cost, cached }: JudgeCallView): string[] =>
  [
    model ?? model_alias,
    temperature !== null && `temperature ${temperature}`,
    input_tokens !== null && `${numberText(input_tokens + (output_tokens ?? 0))} tokens`,
    cost !== null && costText(cost),
    cached && 'from the cache',
  ].filter((fact): fact is string => fact !== false);

function ReplayDialog({ replay, onClose }: { replay: Replay; onClose: () => void }) {
  const { score, replayed, is_equal, has_record_changed, calls } = replay;
  return (
    <Dialog title={`${score.metric_name}, scored again`} wide onClose={onClose}>
      <p class={`alert py-2 ${is_equal ? 'alert-success' : 'alert-warning'}`} role="status">
        {is_equal ? 'The result is the same.' : 'The result is not the same.'}
        {has_record_changed && ' The record has changed since it was scored.'} Nothing was stored.
      </p>

      <Table class="table">
        <thead>
          <tr>
            <th scope="col">Result</th>
            <th scope="col">Value</th>
            <th scope="col">Why</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          <ResultRow name="Stored" detail={score} />
          <ResultRow name="Again" detail={replayed} />
        </tbody>
      </Table>
      <Calls calls={calls} />
    </Dialog>
  );
}

const ResultRow = ({ name, detail }: { name: string; detail: ScoreDetail }) => (
  <tr>
    <th scope="row">{name}</th>
    <td>{detail.status_type === 'success' ? scoreValueText(detail.value) : detail.status_type}</td>
    <td>
      <LongText text={detail.explanation ?? detail.message ?? ''} />
    </td>
    <td>{detail.cost === null ? '' : costText(detail.cost)}</td>
  </tr>
);
