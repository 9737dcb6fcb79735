/** Whether a value is what a scorer said, or what is right. */
export type ScoreRole = 'score' | 'truth';
