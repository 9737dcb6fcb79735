/*
 * Whether a tool call failed, as true or false. A status code of 400 or above settles it. Many tools, however, answer
 * 200 and put the trouble into the text, so the output is read as well: a JSON object with an `error` that is not empty
 * or with `ok` or `success` set to false, or a text that begins like an error message. No output and no status
 * counts as a failure, because nobody saw the call come back; no output with a good status is a tool with nothing to say.
 */

const LOOKS_LIKE_ERROR = /^\s*(?:[a-z]*error\b|[a-z]*exception\b|traceback \(most recent|fatal:|time-?out\b|timed out\b|panic:)/i;

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function saysFailed(output) {
  const value = typeof output === 'string' ? parsed(output) : output;
  if (value === null || typeof value !== 'object') return typeof output === 'string' && LOOKS_LIKE_ERROR.test(output);
  return Boolean(value.error) || value.ok === false || value.success === false;
}

// biome-ignore lint/correctness/noUnusedVariables: the service calls it by this name
function scorer(record) {
  const status = record.status_code;
  const known = typeof status === 'number';
  if (known && status >= 400) return true;
  if (record.output === null || record.output === undefined || record.output === '') return !known;
  return saysFailed(record.output);
}
