interface Scored {
  readonly status_code: number | null;
}

/** Whether the call of a tool ended with a status of 400 or above. */
export function scorer({ status_code }: Scored): boolean {
  if (status_code === null) throw new Error('the record has no status');
  return status_code >= 400;
}
