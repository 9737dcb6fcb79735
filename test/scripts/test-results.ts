import { z } from 'zod';

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

export interface Counts {
  readonly passed: number;
  readonly failed: readonly { readonly name: string; readonly message: string }[];
  readonly skipped: readonly string[];
}

/** Counts of a run, by the text of Vitest's JSON report. A file that could not be run is a failure by its name. */
export function computeCounts(report: string): Counts {
  if (report === '') return { passed: 0, failed: [{ name: 'the run', message: 'left no report' }], skipped: [] };
  const { testResults } = Report.parse(JSON.parse(report));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
  );
  const isOf = (...statuses: string[]) => tests.filter(({ status }) => statuses.includes(status));
  return {
    passed: isOf('passed').length,
    failed: [
      ...isOf('failed').map(({ fullName, failureMessages }) => ({
        name: fullName.trim(),
        message: firstLine(failureMessages?.[0]),
      })),
      ...broken.map(({ name, message }) => ({ name, message: firstLine(message) })),
    ],
    skipped: isOf('skipped', 'pending', 'todo', 'disabled').map(({ fullName }) => fullName.trim()),
  };
}

const firstLine = (text = 'no reason given'): string => text.split('\n', 1)[0]!.slice(0, 200);
