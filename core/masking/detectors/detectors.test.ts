import { describe, expect, it } from 'vitest';
import type { TextRange } from '../text-range.ts';
import { findCreditCards } from './credit-cards.ts';
import { findEmails } from './emails.ts';
import { findIbans } from './ibans.ts';
import { findPhoneNumbers } from './phone-numbers.ts';
import { findSecretValues, SECRET_KEYS, toSecretKeyTest } from './secret-keys.ts';

const found = (find: (text: string) => TextRange[], text: string): string[] =>
  find(text).map(({ start, end }) => text.slice(start, end));
const secrets = (text: string): TextRange[] => findSecretValues(text, toSecretKeyTest(SECRET_KEYS));

describe('e-mail addresses', () => {
  it('are found with what belongs to them', () => {
    expect(found(findEmails, 'to <ada.l+x@mail.example.co.uk>, bob@example.org.')).toEqual([
      'ada.l+x@mail.example.co.uk',
      'bob@example.org',
    ]);
    expect(found(findEmails, 'jürgen@bücher.example a@b.c@d.e')).toEqual(['jürgen@bücher.example', 'a@b.c']);
  });

  it('are not seen in what is none', () => {
    expect(found(findEmails, '@handle me@localhost a @ b.c x@ @y.z user@-')).toEqual([]);
  });
});

describe('phone numbers', () => {
  it.each([
    '+49 30 1234567',
    '+14155550123',
    '030 1234567',
    '0171-2345678',
    '(415) 555-0123',
    '415-555-0123',
    '415.555.0123',
    '+1 (415) 555-0123',
  ])('are found as %s', (number) => {
    expect(found(findPhoneNumbers, `call ${number} now`)).toEqual([number]);
  });

  it.each([
    ...[
      '2026-11-23 07:30:00.123',
      '2026-11-23T07:30:00.000Z',
      '01-02-2024 10:30',
      '1732345678901',
      '12345678',
      '3.14159265358979',
    ],
    ...[
      '11111111-2222-4333-8444-555555555555',
      '0123456789abcdef',
      '192.168.100.200',
      'order 100200300',
      '1 000 000 000',
      '0.123456789',
    ],
  ])('are not seen in %s', (text) => {
    expect(found(findPhoneNumbers, `see ${text} there`)).toEqual([]);
  });
});

describe('card numbers', () => {
  it('are found by issuer and check digit, with the separators that people write', () => {
    const cards = ['4111 1111 1111 1111', '5500-0000-0000-0004', '378282246310005', '6011111111111117'];
    for (const card of cards) expect(found(findCreditCards, `card: ${card}, ok`)).toEqual([card]);
    expect(found(findCreditCards, '4111 1111 1111 1111 12/28 123')).toEqual([cards[0]]);
  });

  it('are not seen in numbers of another check digit or issuer, or within words', () => {
    for (const text of ['4111 1111 1111 1112', '1732345678901234', 'id4111111111111111', '0000000000000000'])
      expect(found(findCreditCards, text)).toEqual([]);
  });
});

describe('bank account numbers', () => {
  it('are found by their check digits', () => {
    for (const iban of [
      'DE89370400440532013000',
      'DE89 3704 0044 0532 0130 00',
      'GB29 NWBK 6016 1331 9268 19',
      'NO93 8601 1117 947',
    ])
      expect(found(findIbans, `pay ${iban} then go`)).toEqual([iban]);
  });

  it('are not seen with a wrong digit', () => {
    expect(found(findIbans, 'DE88370400440532013000 AB12 word more text here')).toEqual([]);
  });
});

describe('values behind names of secrets', () => {
  it.each([
    ['password=hunter2 and more', ['hunter2']],
    ['{"user":"ada","apiKey": "k-1\\"2", "n": 1}', ['k-1\\"2']],
    [JSON.stringify(JSON.stringify({ db_password: 'a"b\\', n: 1 })), ['a\\\\\\"b\\\\\\\\']],
    ['GET /\nAuthorization: Bearer abc.def\nAccept: */*', ['Bearer abc.def']],
    ['https://x.example/?access_token=abc&x=1', ['abc']],
    ["{'X-Api-Key': 'k'}", ['k']],
    ['[{"name": "cookie", "value": "a=b"}, {"name": "n", "value": "v"}]', ['a=b']],
    ['password: "never closed', ['never closed']],
  ])('are found in %s', (text, values) => {
    expect(found(secrets, text)).toEqual(values);
  });

  it('are not seen behind other names', () => {
    expect(found(secrets, '{"num_tokens": 5, "passwordless": true, "token_count": "7"} password is a word, url=x')).toEqual([]);
  });
});
