/** Nodes and the nodes that each leads to. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** Cycle detection by depth-first search: one cycle for each edge that closes one, as the nodes along it, the first one again at the end. */
export function cyclesIn(graph: Graph): string[][] {
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node]);
    if (done.has(node) || path.includes(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}
