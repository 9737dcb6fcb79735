const FIRST_ERROR = 400;

/** The status a step ended with, or that it has not: errors are marked by a sign and colour. */
export function StatusCell({ code, isComplete }: { code: unknown; isComplete: boolean | undefined }) {
  const isError = typeof code === 'number' && code >= FIRST_ERROR;
  if (isError) return <span class="score bad">⚠ {code}</span>;
  if (isComplete === false) return <span class="score waiting">… running</span>;
  return <>{typeof code === 'number' ? code : ''}</>;
}
