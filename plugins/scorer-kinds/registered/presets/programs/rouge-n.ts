interface Scored {
  readonly output: string | null;
}
interface Context {
  readonly ground_truth: string | null;
}

/** Words of a run; ROUGE-1 and others by another number in a copy. */
const N: number = 2;

/** ROUGE-N (Lin, 2004): the F-measure of the runs of N words that output and reference have in common. */
export function scorer({ output }: Scored, { ground_truth }: Context): number {
  if (ground_truth === null) throw new Error('the record has no ground truth');
  const [reference, given] = [getRuns(ground_truth), getRuns(output ?? '')];
  const rest = [...given];
  const common = reference.filter((run) => {
    const at = rest.indexOf(run);
    if (at !== -1) rest.splice(at, 1);
    return at !== -1;
  }).length;
  const all = reference.length + given.length;
  return all === 0 ? 0 : (2 * common) / all;
}

function getRuns(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.slice(N - 1).map((_, at) => words.slice(at, at + N).join(' '));
}
