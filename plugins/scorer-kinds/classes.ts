/** Classes of texts, for judges and small models alike. */
export const TONES = ['neutral', 'joy', 'love', 'fear', 'surprise', 'sadness', 'anger', 'annoyance', 'confusion'];
export const PII_KINDS = [
  'name',
  'email',
  'phone_number',
  'address',
  'date_of_birth',
  'credit_card',
  'bank_account',
  'national_id',
  'ip_address',
  'password',
];
