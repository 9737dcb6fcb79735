import type { JsonValue } from '../../core/kernel/json.ts';
import { costText, durationText, numberText } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { Time } from '../kit/time.tsx';
import { ScoreChips } from '../scores/score-chip.tsx';
import { Conversation } from '../traces/conversation.tsx';
import { parsePayload } from '../traces/payload.ts';
import { PayloadView } from '../traces/payload-view.tsx';
import { computeStepDuration } from '../traces/steps/step.ts';
import { newMessages } from './new-messages.ts';
import type { Turn } from './turn.ts';

/** One turn: what was asked and answered, when, how long it took, and what was said of it. */
export function TurnView({ turn: { number, trace, failedSteps, gap } }: { turn: Turn }) {
  const { record, tokens, cost, below, failed } = trace;
  const { id, project_id, name, created_at, metric_info } = record;
  const facts = [
    counted(below, 'span'),
    tokens !== undefined && `${numberText(tokens)} tokens`,
    cost !== undefined && costText(cost),
  ].filter(Boolean);
  return (
    <li class={`turn ${failed ? 'failed' : ''}`} aria-label={`Turn ${number}`}>
      {gap !== undefined && (
        <div class="turn-gap">{gap >= 0 ? `${durationText(gap)} later` : 'while the turn before went on'}</div>
      )}
      <div class="turn-facts">
        <a href={toHref(`/projects/${project_id}/traces/${id}`)}>
          {number}. {name || 'Unnamed trace'}
        </a>
        <div>
          <Time at={created_at} />
        </div>
        <div>Duration {durationText(computeStepDuration(trace))}</div>
        <div class="small text-body-secondary">{facts.join(' · ')}</div>
        {failed && <span class="badge text-bg-danger">failed {record.status_code}</span>}
        {failedSteps > 0 && (
          <a class="d-block small text-danger-emphasis" href={toHref(`/projects/${project_id}/traces/${id}?errors=1`)}>
            {counted(failedSteps, 'failed span')}
          </a>
        )}
        <ScoreChips scores={metric_info} max={8} />
      </div>
      <div class="turn-talk">
        <Said by="user" value={record.input} />
        <Said by="assistant" value={record.output} />
      </div>
    </li>
  );
}

const counted = (count: number, what: string): string => `${numberText(count)} ${what}${count === 1 ? '' : 's'}`;

/** A text by the side that said it; messages say themselves who did. */
function Said({ by, value }: { by: 'user' | 'assistant'; value: JsonValue }) {
  const payload = parsePayload(value);
  if (payload.kind === 'messages') {
    const { messages } = payload;
    return <Conversation messages={by === 'user' ? newMessages(messages) : messages.slice(-1)} />;
  }
  return (
    <div class={`message role-${by}`}>
      <div class="message-role">{by}</div>
      <PayloadView value={value} />
    </div>
  );
}
