/** Id of the column that says how many comments a trace, a span or a session has itself: 0 where nobody wrote one. */
export const NUM_COMMENTS = 'num_comments';
