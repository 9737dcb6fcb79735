import { askGate, GATE_USAGE, toGateQuestion } from './gate-client.ts';

/** For pipelines: ends with 0 when the version would pass the gate of its scorer, or the experiment is no worse than its baseline, with 1 when not, with 2 when that is not known. */
try {
  const verdict = await askGate(toGateQuestion(process.argv.slice(2), process.env));
  process.stdout.write(`${verdict.passed ? 'passed' : 'refused'}: ${verdict.reason}, ${verdict.message}\n`);
  process.exitCode = verdict.passed ? 0 : 1;
} catch (error) {
  process.stderr.write(`the gate could not be asked: ${error instanceof Error ? error.message : String(error)}\n${GATE_USAGE}`);
  process.exitCode = 2;
}
