import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import type { BuiltTrace } from '../to-trace.ts';

/** Spans for one request, nested, under a record that is there by then. */
export interface TracePiece {
  readonly parent_id: string;
  readonly spans: readonly JsonObject[];
}

const MAX_SPANS = 2_000;
const MAX_CHARS = 4 * 1024 * 1024;
/** Nesting of spans in one body, which nests twice for each. */
const MAX_DEPTH = 40;

interface Node {
  readonly fields: Record<string, JsonValue>;
  /** The spans right below it that are in the same piece. */
  readonly below: JsonObject[];
  readonly depth: number;
  readonly piece: Piece;
}

interface Piece {
  readonly parent_id: string;
  readonly spans: JsonObject[];
  count: number;
  chars: number;
}

/**
 * The spans of a trace in pieces that requests can hold, in the order in which they have to be sent. The first one is for the request that
 * logs the trace.
 */
export function toPieces({ trace, spans }: BuiltTrace): TracePiece[] {
  const first: Piece = { parent_id: trace.id, spans: [], count: 0, chars: JSON.stringify(trace).length };
  const pieces = [first];
  const nodes = new Map<string, Node>([[trace.id, { fields: {}, below: first.spans, depth: 0, piece: first }]]);
  /** The piece that was begun last for spans right below a record. */
  const begun = new Map<string, Piece>();
  for (const { id, parent_id, fields } of spans) {
    const parent = nodes.get(parent_id)!;
    const chars = JSON.stringify(fields).length;
    const fits = (piece: Piece | undefined): piece is Piece =>
      piece !== undefined && (piece.count === 0 || (piece.count < MAX_SPANS && piece.chars + chars <= MAX_CHARS));
    const isWith = parent.depth < MAX_DEPTH && fits(parent.piece);
    const open = begun.get(parent_id);
    const piece = isWith ? parent.piece : fits(open) ? open : { parent_id, spans: [], count: 0, chars: 0 };
    if (piece.count === 0 && piece !== first) {
      pieces.push(piece);
      begun.set(parent_id, piece);
    }
    const own: Record<string, JsonValue> = { ...fields };
    if (isWith && parent.below.length === 0 && parent_id !== trace.id) parent.fields.spans = parent.below;
    (isWith ? parent.below : piece.spans).push(own);
    piece.count += 1;
    piece.chars += chars;
    nodes.set(id, { fields: own, below: [], depth: isWith ? parent.depth + 1 : 1, piece });
  }
  return pieces;
}
