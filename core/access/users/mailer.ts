export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail, or keeps it where an operator finds it. */
export interface Mailer {
  /** Resolves once the mail is handed over. Rejects with AppError `unavailable` when it cannot be now. */
  send(mail: Mail): Promise<void>;
}
