/** Former names of settings. Ignoring one would run the service otherwise than its operator believes. */
const RENAMED: Readonly<Record<string, string>> = {
  TRACE_QUIET_SECONDS: 'TRACE_IDLE_SECONDS',
  SESSION_QUIET_SECONDS: 'SESSION_IDLE_SECONDS',
  PATH_ALIASES: 'WORD_ALIASES',
};

/** Returns a problem for each setting that goes by its former name. */
export const renamedProblems = (set: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(RENAMED).flatMap(([former, name]) => (former in set ? [`✖ ${former} is called ${name} now`] : []));
