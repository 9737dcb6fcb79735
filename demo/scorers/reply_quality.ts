/*
 * What kind of reply the user got, as one word: `empty`, `leaks_contact` (an e-mail address that the user did not write
 * and that is not one of our own), `invalid_json` (begins as JSON and does not parse), `repetitive`, `truncated` (stops
 * in the middle of a sentence), `apology` (begins by excusing itself or refusing, in seven languages) or `ok`. The order is
 * the order of harm: a leak inside a cut-off apology is a leak. Only the trace's own input and output are read, so it
 * works for every application; `apology` is no verdict, an honest "I do not know" lands there too.
 */

interface Trace {
  readonly input?: unknown;
  readonly output?: unknown;
}

type Quality = 'ok' | 'empty' | 'leaks_contact' | 'invalid_json' | 'repetitive' | 'truncated' | 'apology';

const ADDRESS = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const OWN_DOMAINS = ['tandemlane.example', 'lantern.example', 'norrhav.example'];
const APOLOGY =
  /^\W*(?:(?:i(?:['’]m| am) (?:so |very )?sorry|sorry|(?:my |our )?apologi[sz]|i (?:can['’]?t|cannot|will not|won['’]t)\b|unfortunately)|(?:leider|entschuldigung|es tut mir leid)|(?:désolé|je regrette|malheureusement)|(?:lo siento|lamento|desculpe)|(?:申し訳|すみません)|(?:عذر|آسف|للأسف)|(?:माफ़|क्षमा))/iu;
/** Ends of sentences in the scripts we see, closing marks, and symbols such as emoji or a final table bar. */
const FINISHED = /(?:[.!?…:。!?؟।)\]}"'”’»」`|*]|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)$/u;

function leaks(input: string, output: string): boolean {
  const known = input.toLowerCase();
  const foreign = (output.toLowerCase().match(ADDRESS) ?? []).filter((address) => !known.includes(address));
  return foreign.some((address) => !OWN_DOMAINS.some((domain) => address.endsWith(`@${domain}`)));
}

function brokenJson(output: string): boolean {
  // A list such as "[1] the manual" is prose, an array of JSON goes on with a quote, a brace or a bracket.
  if (!/^(?:\{\s*["}]|\[\s*["{[\]])/.test(output)) return false;
  try {
    JSON.parse(output);
    return false;
  } catch {
    return true;
  }
}

function repeats(output: string): boolean {
  const lines = output.split('\n').filter((line) => line.trim().length > 10);
  return lines.length >= 8 && new Set(lines).size < lines.length / 2;
}

/** A short answer without a full stop ("costs", "42") is complete; a long one without is cut off. */
function cutOff(output: string): boolean {
  const fences = output.split('```').length - 1;
  return fences % 2 === 1 || (output.length > 60 && !FINISHED.test(output));
}

// biome-ignore lint/style/noDefaultExport: a scorer may be a default export, and this one shows that form
export default function scorer(record: Trace): Quality {
  const output = typeof record.output === 'string' ? record.output.trim() : JSON.stringify(record.output ?? '');
  const input = typeof record.input === 'string' ? record.input : JSON.stringify(record.input ?? '');
  if (output === '' || output === '""') return 'empty';
  if (leaks(input, output)) return 'leaks_contact';
  if (brokenJson(output)) return 'invalid_json';
  if (repeats(output)) return 'repetitive';
  if (cutOff(output)) return 'truncated';
  return APOLOGY.test(output) ? 'apology' : 'ok';
}
