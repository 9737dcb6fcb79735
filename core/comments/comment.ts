import { z } from 'zod';
import { UserSummary } from '../access/users/user.ts';
import { AppError } from '../kernel/errors.ts';
import { PageFields } from '../kernel/query/page.ts';
import { cleanText, Id } from '../kernel/text.ts';
import { runIdFields } from '../projects/run-ids.ts';

/** About one trace, span or session. */
export const MAX_COMMENTS = 200;

/** Markdown of 1 to 4,000 characters, not all blank. */
const CommentText = cleanText(1, 4000).refine((text) => text.trim().length > 0, { message: 'is blank' });

export const NewComment = z.object({ ...runIdFields, record_id: Id, text: CommentText }).meta({ id: 'NewComment' });
export type NewComment = z.output<typeof NewComment>;

export const CommentUpdate = z.object({ text: CommentText }).meta({ id: 'CommentUpdate' });
export type CommentUpdate = z.output<typeof CommentUpdate>;

/** Free words of a person about a trace, a span or a session, for others who look at it. */
const Comment = z.object({
  id: z.string(),
  project_id: z.string(),
  run_id: z.string().describe('The log stream, experiment or metrics testing of the record.'),
  record_id: z.string().describe('A trace, a span or a session.'),
  text: z.string(),
  created_by: z.string().describe('The user who wrote it.'),
  created_at: z.string(),
  updated_at: z.string().describe('Later than `created_at` where the text was changed.'),
});
export type Comment = z.output<typeof Comment>;

/** A comment as the API shows it. */
export const CommentView = z
  .object({
    ...Comment.shape,
    created_by_user: UserSummary.nullable().describe('Who wrote it; null where they are no user any more.'),
  })
  .meta({ id: 'Comment' });
export type CommentView = z.output<typeof CommentView>;

export const CommentPage = z.object({ ...PageFields, comments: z.array(CommentView) }).meta({ id: 'CommentPage' });
export type CommentPage = z.output<typeof CommentPage>;

export const commentNotFound = (id: string): AppError =>
  new AppError('not_found', 'comment_not_found', `comment ${id} does not exist`);
