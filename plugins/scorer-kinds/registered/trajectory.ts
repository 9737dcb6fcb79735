import type { ScoreItem, Surroundings } from '../../../core/plugin-sdk/index.ts';

/** Characters of all records around a trace or session together that a program is given; programs have little memory. */
export const MAX_CHARACTERS = 2_000_000;
/** Deeper records hang under the last level; their `parent_id` still tells the truth. */
const MAX_DEPTH = 200;

interface Seen {
  readonly id: string;
  readonly type: string;
  readonly parent_id: string | null;
  readonly [field: string]: unknown;
}
type Node = Seen & { readonly spans: Node[] };

/** Fields of a program's context that say what happened in a trace or session. */
export interface Trajectory {
  /** Spans in order of their start, parents before children. */
  readonly spans: readonly Seen[];
  /** The same spans, each with those below it in `spans`. */
  readonly tree: readonly Node[];
  /** Of a session: its traces in order, each with its spans as a tree. */
  readonly traces?: readonly Node[];
  /** Why records are missing; null when none are. */
  readonly cut: string | null;
}

/** Whether a program names what is around a trace; to gather it for one that never looks costs time and memory. */
const NAMES = /\b(?:spans|tree|traces)\b/;

export const getSurroundings = (source: string): Surroundings => (NAMES.test(source) ? 'session' : 'none');

/** The records around a trace or session; undefined for any other record, or where none were asked for. */
export function toTrajectory({ record, around }: Pick<ScoreItem, 'record' | 'around'>): Trajectory | undefined {
  if (around === undefined) return undefined;
  const { type } = JSON.parse(record) as { readonly type?: unknown };
  const isSession = type === 'session' || type === undefined;
  if (type !== 'trace' && !isSession) return undefined;
  const fitting = countFitting(around);
  const seen = around.slice(0, fitting).map((text) => JSON.parse(text) as Seen);
  const roots = hang(seen);
  const cut =
    fitting < around.length ? `the first ${fitting} of ${around.length} records, of ${MAX_CHARACTERS} characters` : null;
  const isTrace = (one: Seen): boolean => one.type === 'trace';
  const tree = roots.flatMap((root) => (isTrace(root) ? root.spans : [root]));
  const spans = seen.filter((one) => !isTrace(one));
  return { spans, tree, ...(isSession ? { traces: roots.filter(isTrace) } : {}), cut };
}

function countFitting(around: readonly string[]): number {
  let characters = 0;
  const end = around.findIndex((text) => {
    characters += text.length;
    return characters > MAX_CHARACTERS;
  });
  return end < 0 ? around.length : end;
}

/** Records under their parents, which come before them; one whose parent is not there is a root. */
function hang(records: readonly Seen[]): Node[] {
  const shelves = new Map<string, { readonly node: Node; readonly depth: number }>();
  const roots: Node[] = [];
  for (const record of records) {
    const node: Node = { ...record, spans: [] };
    const above = record.parent_id === null ? undefined : shelves.get(record.parent_id);
    (above ? above.node.spans : roots).push(node);
    const depth = above ? above.depth + 1 : 0;
    // Of the last level, what is below stands beside.
    shelves.set(record.id, depth < MAX_DEPTH ? { node, depth } : above!);
  }
  return roots;
}
