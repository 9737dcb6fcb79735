import type { JsonValue } from '../../../core/kernel/json.ts';
import { AddToQueue } from '../../annotation/add-to-queue.tsx';
import { apiUrl } from '../../api/client.ts';
import { AddToDataset } from '../../datasets/add-to-dataset.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { costText, durationText, numberText } from '../../kit/formatting.ts';
import { toHref, useHashPath, useView } from '../../kit/location.ts';
import { RawSwitch } from '../../kit/markdown/raw-switch.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { listShownScores, type Scores } from '../../scores/score.ts';
import { ScoreChips } from '../../scores/score-chip.tsx';
import { StepComments } from '../comments/step-comments.tsx';
import { Fact, Facts } from '../facts.tsx';
import { toFixture } from '../fixture.ts';
import { LongText } from '../long-text.tsx';
import { PayloadView } from '../payload-view.tsx';
import { StepRatings } from '../ratings/step-ratings.tsx';
import type { RunPlace } from '../run-place.ts';
import { ScoreList } from '../score-list.tsx';
import { listReasons } from '../why-failed.ts';
import { computeStepDuration, numberIn, type Step, type TraceNode } from './step.ts';
import { StepBadge } from './step-badge.tsx';
import { StepDetails } from './step-details.tsx';

const PARTS = ['content', 'scores', 'feedback', 'comments', 'details', 'json'] as const;

/** Everything about one step. */
export function StepPane({ step, run }: { step: Step; run: RunPlace | undefined }) {
  const [view] = useView();
  const [path] = useHashPath();
  const { record } = step;
  const part = PARTS.find((one) => one === view.get('show')) ?? 'content';
  const toAddress = (one: string): string => {
    const next = new URLSearchParams(view);
    next.set('show', one);
    return `${path}?${next}`;
  };
  return (
    <section class="step-pane" aria-label="Selected span">
      <h2 class="h6 step-head">
        <StepBadge type={record.type} />
        <span dir="auto">{record.name || 'unnamed'}</span>
        <span class="d-flex flex-wrap gap-1 align-items-center">
          <AddToDataset project_id={record.project_id} records={{ ids: [record.id] }} />
          <AddToQueue
            project_id={record.project_id}
            run_id={record.run_id}
            chosen={{ record_ids: [record.id] }}
            label="Add to queue"
          />
          {record.type === 'llm' && (
            <a
              class="btn btn-sm btn-outline-secondary py-0"
              href={toHref(`/projects/${record.project_id}/playground?span=${record.id}`)}
            >
              Open in playground
            </a>
          )}
          <CopyButton label="Copy as curl" text={() => toCurl(record)} />
          <CopyButton label="Copy as fixture" text={() => toFixture(record)} />
        </span>
      </h2>
      <StepFacts step={step} />
      {step.failed && <StepFailure step={step} />}
      {listShownScores(record.metric_info).length > 0 && (
        <div class="d-flex flex-wrap gap-1 mb-2">
          <ScoreChips scores={record.metric_info} max={12} />
        </div>
      )}
      {part !== 'scores' && <Explanations scores={record.metric_info} />}
      <Tabs
        label="Parts of the span"
        active={toAddress(part)}
        tabs={PARTS.map((one) => ({ label: toLabel(one, step), path: toAddress(one) }))}
      />
      {part === 'content' && <StepContent record={record} />}
      {part === 'scores' && <ScoreList record={record} />}
      {part === 'feedback' && <StepRatings record={record} run={run} />}
      {part === 'comments' && <StepComments record={record} run={run} />}
      {part === 'details' && <StepDetails record={record} />}
      {part === 'json' && <StepJson record={record} />}
    </section>
  );
}

function toLabel(part: (typeof PARTS)[number], { record }: Step): string {
  const { metric_info, feedback_rating_info, annotations } = record;
  const counts = {
    scores: Object.keys(metric_info).length,
    feedback: Object.keys(feedback_rating_info).length + Object.keys(annotations).length,
  };
  const count = part === 'scores' || part === 'feedback' ? counts[part] : 0;
  const label = part === 'json' ? 'JSON' : `${part[0]!.toUpperCase()}${part.slice(1)}`;
  return count > 0 ? `${label} (${count})` : label;
}

function StepFacts({ step }: { step: Step }) {
  const { record, tokens, cost } = step;
  const { metrics } = record;
  const first = numberIn(metrics, 'time_to_first_token_ns');
  const [input, output] = [numberIn(metrics, 'num_input_tokens'), numberIn(metrics, 'num_output_tokens')];
  const { model, temperature, finish_reason } = record;
  return (
    <Facts>
      <Fact label="Duration">{durationText(computeStepDuration(step))}</Fact>
      {first !== undefined && <Fact label="First token">{durationText(first)}</Fact>}
      {typeof model === 'string' && <Fact label="Model">{model}</Fact>}
      {typeof temperature === 'number' && <Fact label="Temperature">{temperature}</Fact>}
      {tokens !== undefined && (
        <Fact label="Tokens">
          {numberText(tokens)}
          {input !== undefined && output !== undefined && ` (${numberText(input)} in, ${numberText(output)} out)`}
        </Fact>
      )}
      {cost !== undefined && <Fact label="Cost">{costText(cost)}</Fact>}
      {typeof finish_reason === 'string' && <Fact label="Finished by">{finish_reason}</Fact>}
      {record.status_code !== null && <Fact label="Status">{record.status_code}</Fact>}
    </Facts>
  );
}

const StepFailure = ({ step }: { step: Step }) => (
  <div class="alert alert-danger py-2" role="alert">
    Failed with status {step.record.status_code}
    {listReasons(step).map((reason, at) => (
      <div key={at} class="small" dir="auto">
        {reason}
      </div>
    ))}
  </div>
);

/** Explanations of the scores of a span, where they are seen without asking. */
const Explanations = ({ scores }: { scores: Scores }) => (
  <>
    {listShownScores(scores)
      .filter(([, { explanation }]) => explanation)
      .map(([name, { explanation }]) => (
        <div key={name} class="score-explanation">
          <strong>{name}</strong> <LongText text={explanation!} />
        </div>
      ))}
  </>
);

/** How anybody with an API key gets the record. */
const toCurl = ({ project_id, type, id }: TraceNode): string =>
  `curl -H "Service-API-Key: $API_KEY" "${apiUrl(`/projects/${project_id}/${type === 'trace' ? 'traces' : 'spans'}/${id}`)}"`;

/** Input and output of a step, their redacted forms, and the expected answer. */
function StepContent({ record }: { record: TraceNode }) {
  const { input, output, redacted_input, redacted_output, dataset_output } = record;
  return (
    <>
      <div class="text-end mb-1">
        <RawSwitch />
      </div>
      <Side title="Input" value={input} />
      {redacted_input !== null && <Side title="Redacted input" value={redacted_input} />}
      <Side title="Output" value={output} />
      {redacted_output !== null && <Side title="Redacted output" value={redacted_output} />}
      {dataset_output !== null && <Side title="Wanted output" value={dataset_output} />}
    </>
  );
}

export const Side = ({ title, value }: { title: string; value: JsonValue }) => (
  <section class="mb-3">
    <h3 class="side-title">
      {title}
      {value !== null && value !== '' && (
        <CopyButton text={() => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))} />
      )}
    </h3>
    <PayloadView value={value} />
  </section>
);

/** The record as the API gives it, without what stands below it. */
function StepJson({ record }: { record: TraceNode }) {
  const { spans: _below, ...own } = record;
  const text = JSON.stringify(own, null, 2);
  return (
    <>
      <div class="text-end mb-1">
        <CopyButton label="Copy JSON" text={() => text} />
      </div>
      <LongText mono text={text} />
    </>
  );
}
