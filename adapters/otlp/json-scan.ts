/** What can be told about a JSON text without building anything of it. */
export interface JsonScan {
  readonly depth: number;
  /** Arrays and objects. */
  readonly containers: number;
  /** Somewhere a number has more digits than a double holds exactly. */
  readonly hasLongNumber: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const NINE = 0x39;
const LONG = 16;

/** One pass over the bytes, long before a parser would have asked for the memory. */
export function scanJson(body: Uint8Array): JsonScan {
  let open = 0;
  let depth = 0;
  let containers = 0;
  let digits = 0;
  let hasLongNumber = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]!;
    if (byte >= ZERO && byte <= NINE) {
      digits += 1;
      if (digits === LONG) hasLongNumber = true;
      continue;
    }
    digits = 0;
    if (byte === QUOTE) at = endOfText(body, at);
    else if (byte === 0x7b || byte === 0x5b) {
      open += 1;
      containers += 1;
      if (open > depth) depth = open;
    } else if (byte === 0x7d || byte === 0x5d) open -= 1;
  }
  return { depth, containers, hasLongNumber };
}

function endOfText(body: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}
