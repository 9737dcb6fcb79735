import type { ScoredView } from '../../../core/traces/read/record-views.ts';
import type { WithScores } from '../../scores/score.ts';
import { computeMicros, type Stretch } from '../time-scale.ts';

/** A trace or span as the API shows it in a tree. */
export type TraceNode = WithScores<ScoredView> & { readonly spans: readonly TraceNode[] };

/** A record with its place in the tree and in time: until the last step below it ended, where it does not say itself. */
export interface Step extends Stretch {
  readonly record: TraceNode;
  /** 0 for the trace. */
  readonly depth: number;
  /** Among all steps, parents before children. */
  readonly index: number;
  readonly parent: Step | undefined;
  /** Its own where it says so, else what those below it come to. */
  readonly tokens: number | undefined;
  readonly cost: number | undefined;
  readonly failed: boolean;
  /** How many steps stand below it, at any depth. */
  readonly below: number;
  /** Its place among its siblings, from 1, and how many they are. */
  readonly position: number;
  readonly siblings: number;
}

type Growing = { -readonly [K in keyof Step]: Step[K] };

/** All steps of a trace, parents before children and siblings in the order of the reply. */
export function toSteps(trace: TraceNode): readonly Step[] {
  const steps: Growing[] = [];
  const open: Pick<Growing, 'record' | 'parent' | 'depth' | 'position' | 'siblings'>[] = [
    { record: trace, parent: undefined, depth: 0, position: 1, siblings: 1 },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const step = toStep(next, steps.length);
    steps.push(step);
    const { spans } = next.record;
    for (let at = spans.length - 1; at >= 0; at -= 1)
      open.push({ record: spans[at]!, parent: step, depth: step.depth + 1, position: at + 1, siblings: spans.length });
  }
  sumUp(steps);
  return steps;
}

function toStep(place: Pick<Step, 'record' | 'parent' | 'depth' | 'position' | 'siblings'>, index: number): Growing {
  const { metrics, created_at, status_code } = place.record;
  const start = computeMicros(created_at);
  const duration = numberIn(metrics, 'duration_ns');
  return {
    ...place,
    index,
    start,
    end: duration === undefined ? undefined : start + duration / 1000,
    tokens: getTokens(metrics),
    cost: numberIn(metrics, 'cost'),
    failed: isFailure(status_code),
    below: 0,
  };
}

/** From the last to the first: whoever stands below is done before. */
function sumUp(steps: readonly Growing[]): void {
  const sums = steps.map(() => ({ tokens: undefined, cost: undefined, end: undefined }) as Sums);
  for (let at = steps.length - 1; at >= 0; at -= 1) {
    const [step, below] = [steps[at]!, sums[at]!];
    step.tokens ??= below.tokens;
    step.cost ??= below.cost;
    step.end ??= below.end;
    const { parent } = step;
    if (!parent) continue;
    const above = sums[parent.index]!;
    above.tokens = plus(above.tokens, step.tokens);
    above.cost = plus(above.cost, step.cost);
    above.end = later(above.end, step.end);
    (parent as Growing).below += step.below + 1;
  }
}

type Sums = { tokens: number | undefined; cost: number | undefined; end: number | undefined };
const plus = (a: number | undefined, b: number | undefined) => (b === undefined ? a : (a ?? 0) + b);
const later = (a: number | undefined, b: number | undefined) => (b === undefined ? a : Math.max(a ?? b, b));

/** Statuses are those of HTTP, also where the sender has none. */
export const isFailure = (status_code: number | null): boolean => status_code !== null && status_code >= 400;

export function numberIn(metrics: object, name: string): number | undefined {
  const value = (metrics as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'number' ? value : undefined;
}

export function getTokens(metrics: object): number | undefined {
  const [input, output] = [numberIn(metrics, 'num_input_tokens'), numberIn(metrics, 'num_output_tokens')];
  return numberIn(metrics, 'num_total_tokens') ?? (input === undefined ? output : plus(input, output));
}

/** How long a step took, in nanoseconds, as the formats of the kit want it. */
export const computeStepDuration = ({ start, end }: Stretch): number | undefined =>
  end === undefined ? undefined : (end - start) * 1000;
