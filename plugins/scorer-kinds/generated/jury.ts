import type { JudgeModel, ScoreOutcome, ScorerKit } from '../../../core/plugin-sdk/index.ts';
import { notApplicable } from '../material.ts';
import type { Sight } from '../seen-record.ts';
import { UsageTally } from '../usage-tally.ts';
import { retrieved } from '../variables.ts';
import { aggregate } from './aggregate.ts';
import { answerForm } from './answer-schema.ts';
import type { Definition } from './definition.ts';
import { newNonce } from './delimiters.ts';
import { askJudge, type VoteResult } from './judge.ts';
import { toPrompt } from './prompt.ts';
import { questionAbout } from './question.ts';
import { parseTemperature } from './temperature.ts';
import { verdictForm } from './verdict-form.ts';

interface Session {
  readonly definition: Definition;
  readonly model: JudgeModel;
  readonly clock: ScorerKit['clock'];
  readonly signal: AbortSignal;
}

/** Has a panel of judges decide on one record. More than half of them have to have answered. */
export async function judgeRecord(session: Session, sight: Sight): Promise<ScoreOutcome> {
  const { definition, clock } = session;
  const reason = notApplicable(definition.input_type, sight);
  if (reason !== undefined) return { status: 'not_applicable', message: reason };
  const question = questionAbout(definition, sight);
  if (typeof question === 'string') return { status: 'failed', message: question };

  const form = verdictForm(definition, sight.record.type === 'retriever' ? retrieved(sight).length : undefined);
  const answer = answerForm(definition, form);
  const temperature = parseTemperature(definition);
  const tally = new UsageTally();
  const begun = clock().getTime();
  const ballots = await Promise.all(
    Array.from({ length: definition.num_judges }, (_, judge) => {
      const nonce = newNonce();
      const prompt = toPrompt(definition, question, answer, form, nonce);
      return askJudge({ ...session, judge, nonce, prompt, answer, form, temperature, tally });
    }),
  );
  const votes = ballots.flatMap((ballot) => ('vote' in ballot ? [ballot.vote] : []));
  const effort = {
    ...tally.sum(),
    num_judges: definition.num_judges,
    votes,
    truncated: question.truncated,
    latency_ms: clock().getTime() - begun,
  };
  if (votes.length * 2 <= definition.num_judges) return { status: 'failed', message: noQuorum(ballots), effort };
  const { agreement, ...verdict } = aggregate(votes, definition, form);
  return { status: 'success', ...verdict, effort: { ...effort, agreement } };
}

function noQuorum(ballots: readonly VoteResult[]): string {
  const failures = ballots.flatMap((ballot) => ('failure' in ballot ? [ballot.failure] : []));
  if (ballots.length === 1) return failures[0]!;
  return `${failures.length} of ${ballots.length} judges gave no verdict: ${[...new Set(failures)].join('; ')}`;
}
