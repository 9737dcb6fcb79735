/** A piece of work that comes due again and again, or until it is done. */
export interface DueWork {
  readonly kind: 'alert' | 'webhook' | 'insights';
  readonly project_id: string;
  /** Of the alert, the delivery or the run. */
  readonly id: string;
}

/** List of work by due time, done by whichever process comes first. A list of work, like the job queue: shared by all projects. */
export interface WorkList {
  /** Puts a piece on the list, or gives the one that is there another time. */
  put(work: DueWork, due_at: string): Promise<void>;
  /** Nothing happens when it is not there. */
  remove(work: DueWork): Promise<void>;
  /** Projects with pieces of this kind that are due, the one that waits longest first; some of them where there are very many. */
  dueProjects(kind: DueWork['kind'], now: string): Promise<string[]>;
  /**
   * The piece of this kind that is due the longest, of one project where it is given; undefined when none is. Nobody gets it again before `until`, or before it
   * is put anew: whoever has it and dies leaves it to another.
   */
  claim(kind: DueWork['kind'], now: string, until: string, project_id?: string): Promise<DueWork | undefined>;
}
