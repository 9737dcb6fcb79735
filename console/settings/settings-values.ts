import type { SettingsField } from './settings-schema.ts';

/** The name of a field in the form. */
export const toFieldName = ({ path }: Pick<SettingsField, 'path'>): string => path.join('.');

/** The name under which the form says which of several forms was filled in. */
export const getFormName = (field: Pick<SettingsField, 'path'>): string => `${toFieldName(field)}#form`;

/** Returns the text in the form by name; null for a missing field. */
export type FormText = (name: string) => string | null;

/** The settings as the API takes them; what was left empty is left out. Throws when a text is not the JSON it has to be. */
export const readSettings = (fields: readonly SettingsField[], form: FormText): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = valueIn(field, form);
      return value === undefined ? [] : [[field.path.at(-1)!, value]];
    }),
  );

function valueIn(field: SettingsField, form: FormText): unknown {
  if (field.kind === 'group') return unlessEmpty(readSettings(field.fields, form));
  if (field.kind === 'forms') return unlessEmpty(readSettings(field.forms[Number(form(getFormName(field)) ?? 0)] ?? [], form));
  const text = form(toFieldName(field)) ?? '';
  if (field.kind === 'flag') return text !== '';
  return text.trim() === '' ? undefined : parsed(field, text);
}

function parsed(field: SettingsField, text: string): unknown {
  if (field.kind === 'number') return Number(text);
  if (field.kind === 'lines') return toLines(text);
  return field.kind === 'json' ? toJson(text, toFieldName(field)) : text;
}

const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function toJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${name}: is not JSON`, { cause });
  }
}

const unlessEmpty = (value: Record<string, unknown>): unknown => (Object.keys(value).length > 0 ? value : undefined);

/** Text of a field before it is touched: the current value, else the default. Secrets are never known. */
export function toFieldText(field: SettingsField, known: Readonly<Record<string, unknown>>): string {
  if (field.kind === 'group' || field.kind === 'forms' || field.kind === 'flag') return '';
  const value = valueAt(known, field.path) ?? field.initial ?? '';
  if (typeof value === 'string') return value;
  if (field.kind === 'lines' && Array.isArray(value)) return value.join('\n');
  return isEmpty(value) ? '' : JSON.stringify(value, null, 2);
}

export const isSet = (field: SettingsField & { kind: 'flag' }, known: Readonly<Record<string, unknown>>): boolean =>
  (valueAt(known, field.path) ?? field.initial) === true;

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined), value);

const isEmpty = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
