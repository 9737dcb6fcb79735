import { isFailure, type Step, type TraceNode, toSteps } from '../traces/steps/step.ts';

/** A trace as one turn of a conversation. */
export interface Turn {
  /** From 1, over all pages. */
  readonly number: number;
  readonly trace: Step;
  readonly failedSteps: number;
  /** Nanoseconds since the turn before ended: negative when they overlap, undefined for the first and where no end is known. */
  readonly gap: number | undefined;
}

/** Traces of a session, oldest first, as turns; `before` is how many stand on earlier pages. */
export function toTurns(traces: readonly TraceNode[], before: number): Turn[] {
  const all = traces.map((trace) => toSteps(trace));
  return all.map((steps, at) => ({
    number: before + at + 1,
    trace: steps[0]!,
    failedSteps: steps.filter(({ record }) => record.type !== 'trace' && isFailure(record.status_code)).length,
    gap: gapBetween(all[at - 1]?.[0], steps[0]!),
  }));
}

const gapBetween = (before: Step | undefined, { start }: Step): number | undefined =>
  before?.end === undefined ? undefined : (start - before.end) * 1000;
