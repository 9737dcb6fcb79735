import type { ScoreOutcome, ScorerKit } from '../../../core/plugin-sdk/index.ts';
import { aboutItem } from '../about-item.ts';
import { notApplicable } from '../material.ts';
import type { Sight } from '../seen-record.ts';
import { UsageTally } from '../usage-tally.ts';
import { retrieved } from '../variables.ts';
import { aggregate } from './aggregate.ts';
import { answerForm } from './answer-schema.ts';
import type { Definition } from './definition.ts';
import { newNonce } from './delimiters.ts';
import { askJudge, type VoteResult } from './judge.ts';
import { type Judge, missingVotes, toWeighed } from './panel.ts';
import { toPrompt } from './prompt.ts';
import { questionAbout } from './question.ts';
import { findNamedFiles, selectFiles } from './sent-files.ts';
import { verdictForm } from './verdict-form.ts';

interface Session {
  readonly definition: Definition;
  readonly panel: readonly Judge[];
  /** Index of the record in the request. */
  readonly item: number;
  readonly kit: Pick<ScorerKit, 'clock' | 'files'>;
  readonly signal: AbortSignal;
}

/**
 * Has a panel of judges decide on one record. More than half of the judges of one model have to have answered; of a jury any juror
 * will do, since one provider that fails must not silence the others.
 */
export async function judgeRecord(session: Session, sight: Sight): Promise<ScoreOutcome> {
  const { definition, panel, kit, item } = session;
  const { clock } = kit;
  const reason = notApplicable(definition.input_type, sight);
  if (reason !== undefined) return { status: 'not_applicable', message: reason };
  const question = questionAbout(definition, sight);
  if (typeof question === 'string') return { status: 'failed', message: question };

  const form = verdictForm(definition, sight.record.type === 'retriever' ? retrieved(sight).length : undefined);
  const answer = answerForm(definition, form);
  const tally = new UsageTally();
  const begun = clock().getTime();
  const files = await findNamedFiles(kit, question.shown, sight);
  let truncated = question.truncated;
  const ballots = await Promise.all(
    panel.map(async ({ model, temperature }, judge): Promise<VoteResult> => {
      if ('failure' in model) return model;
      const nonce = newNonce();
      const sent = selectFiles(files, definition, model.files);
      truncated ||= sent.is_cut;
      const prompt = toPrompt(definition, question, answer, form, nonce, sent);
      return askJudge({ ...session, model: aboutItem(model, item), judge, nonce, prompt, answer, form, temperature, tally });
    }),
  );
  const votes = ballots.flatMap((ballot, at) => ('vote' in ballot ? [toWeighed(ballot.vote, panel[at]!)] : []));
  const { model, ...spent } = tally.sum();
  const effort = {
    // No one model gave the verdict of a jury: its votes say which did.
    ...(definition.jurors || model === undefined ? {} : { model }),
    ...spent,
    num_judges: panel.length,
    votes,
    ...missingVotes(panel, ballots),
    truncated,
    latency_ms: clock().getTime() - begun,
  };
  const isEnough = definition.jurors ? votes.length > 0 : votes.length * 2 > panel.length;
  if (!isEnough) return { status: 'failed', message: noQuorum(ballots), effort };
  const { agreement, ...verdict } = aggregate(votes, definition, form);
  return { status: 'success', ...verdict, effort: { ...effort, agreement } };
}

function noQuorum(ballots: readonly VoteResult[]): string {
  const failures = ballots.flatMap((ballot) => ('failure' in ballot ? [ballot.failure] : []));
  if (ballots.length === 1) return failures[0]!;
  return `${failures.length} of ${ballots.length} judges gave no verdict: ${[...new Set(failures)].join('; ')}`;
}
