const nodeTypeAliases: ReadonlyMap<string, string> = new Map([
  ['chat', 'llm'],
  ['chain', 'workflow'],
]);

/** The types of records that a scorer of these node types scores: older names stand for those of today. */
export function getRecordTypes(nodeTypes: readonly string[]): ReadonlySet<string> {
  const types = recordTypes.get(nodeTypes) ?? new Set(nodeTypes.map((type) => nodeTypeAliases.get(type) ?? type));
  recordTypes.set(nodeTypes, types);
  return types;
}

/** Asked for by each record and scorer of a reply. */
const recordTypes = new WeakMap<readonly string[], ReadonlySet<string>>();
