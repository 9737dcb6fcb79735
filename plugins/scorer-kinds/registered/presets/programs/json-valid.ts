interface Scored {
  readonly output: string | null;
}

/** Set to true in a copy to take only objects and lists: by itself, `1` is valid JSON. */
const OBJECT_OR_LIST: boolean = false;

/** Whether the output is JSON. */
export function scorer({ output }: Scored): boolean {
  try {
    const value: unknown = JSON.parse(output ?? '');
    return !OBJECT_OR_LIST || (typeof value === 'object' && value !== null);
  } catch {
    return false;
  }
}
