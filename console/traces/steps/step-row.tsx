import { costText, durationText, numberText } from '../../kit/formatting.ts';
import { ownScores } from '../../scores/score.ts';
import { ScoreChips } from '../../scores/score-chip.tsx';
import { placeOn, type TimeScale } from '../time-scale.ts';
import { computeStepDuration } from './step.ts';
import { StepBadge } from './step-badge.tsx';
import { stepColor } from './step-color.ts';
import type { VisibleStep } from './visible-steps.ts';

export const rowId = (record_id: string): string => `step-${record_id}`;
export const ROW_HEIGHT = 30;
/** Deeper steps stand no further to the right: there would be no room for their names. */
const MAX_INDENT = 16;

interface StepRowProps {
  readonly visible: VisibleStep;
  readonly place: number;
  readonly top: number;
  readonly selected: boolean;
  readonly scale: TimeScale;
}

/** One step in the tree. What is done with it is heard by the tree. */
export function StepRow({ visible: { step, expanded, matched }, place, top, selected, scale }: StepRowProps) {
  const { record, depth, tokens, cost, failed } = step;
  const classes = ['step-row', selected && 'selected', !matched && 'unmatched', failed && 'failed'].filter(Boolean).join(' ');
  return (
    <div
      role="treeitem"
      tabIndex={-1}
      id={rowId(record.id)}
      class={classes}
      data-place={place}
      aria-level={depth + 1}
      aria-posinset={step.position}
      aria-setsize={step.siblings}
      aria-selected={selected}
      {...(expanded === undefined ? {} : { 'aria-expanded': expanded })}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span class="step-name" style={{ paddingInlineStart: `${Math.min(depth, MAX_INDENT) * 0.85}rem` }}>
        <span class="step-toggle" data-toggle={expanded !== undefined} aria-hidden="true">
          {expanded === undefined ? '' : expanded ? '▾' : '▸'}
        </span>
        <StepBadge type={record.type} />
        <span class="text-truncate" dir="auto">
          {record.name || 'unnamed'}
        </span>
        {failed && <span class="step-error">error {record.status_code}</span>}
      </span>
      <span class="step-scores">
        <ScoreChips scores={ownScores(record.metric_info)} max={2} bare />
      </span>
      <span class="step-number">{tokens === undefined ? '' : numberText(tokens)}</span>
      <span class="step-number">{cost === undefined ? '' : costText(cost)}</span>
      <span class="step-time">
        <TimeBar visible={step} scale={scale} />
      </span>
    </div>
  );
}

/** Beyond this share of the axis there is no room for words behind a bar. */
const ROOM_BEHIND = 0.72;

function TimeBar({ visible: step, scale }: { visible: VisibleStep['step']; scale: TimeScale }) {
  const { left, width } = placeOn(scale, step);
  const words = durationText(computeStepDuration(step));
  const behind = left + width < ROOM_BEHIND;
  const at = behind ? { left: `${(left + width) * 100}%` } : { right: `${(1 - Math.min(left, 1)) * 100}%` };
  const color = stepColor(step.record.type);
  const inside = !behind && width > 1 - ROOM_BEHIND;
  return (
    <>
      {step.end !== undefined && <span class="step-bar" style={{ ...color, left: `${left * 100}%`, width: `${width * 100}%` }} />}
      <span class={inside ? 'step-took inside' : 'step-took'} style={inside ? { ...color, left: `${left * 100}%` } : at}>
        {words}
      </span>
    </>
  );
}
