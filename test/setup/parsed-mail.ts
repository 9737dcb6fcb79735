import type { ArrivedMail } from '../contracts/access/mailer.contract.ts';

/** Reads the simple mails that the mailers write: one part, text in UTF-8, words of RFC 2047 in headers. */
export function parsedMail(source: string): ArrivedMail {
  const lines = source.replaceAll('\r\n', '\n');
  const end = lines.indexOf('\n\n');
  const unfolded = lines.slice(0, end).replaceAll(/\n[ \t]+/g, ' ');
  const headers = Object.fromEntries(unfolded.split('\n').map(getHeader));
  return { headers, text: toText(lines.slice(end + 2), headers['content-transfer-encoding'] ?? '7bit') };
}

function getHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), decodedWords(line.slice(colon + 1).trim())];
}

const decodedWords = (value: string): string =>
  value.replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_word, encoding: string, text: string) =>
    encoding.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString('utf8') : unquoted(text.replaceAll('_', ' ')),
  );

function toText(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8').replaceAll('\r\n', '\n');
  return encoding === 'quoted-printable' ? unquoted(body.replaceAll('=\n', '')) : body;
}

/** Quoted bytes as text. */
const unquoted = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
