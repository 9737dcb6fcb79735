/** Words for a name of the API: `num_total_tokens` is "Total tokens", `duration_ns` "Duration". */
export function toLabel(name: string): string {
  const words = name.replace(/^num_/, '').replace(/_ns$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
