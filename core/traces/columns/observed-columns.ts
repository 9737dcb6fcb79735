import type { JsonValue } from '../../kernel/json.ts';
import { COLUMN_KINDS, type DataType } from '../catalogue/field-kinds.ts';
import { COMMON_FIELD_NAMES, commonField, type MapField, OWN_FIELDS } from '../catalogue/record-fields.ts';
import { ownFieldsOf, type RecordType } from '../catalogue/span-types.ts';
import type { LogRecord } from '../record.ts';
import { PLACES } from './column.ts';

/** A column that records of a type have had in a run, and a type its values were of. */
export interface ObservedColumn {
  readonly type: RecordType;
  readonly column_id: string;
  readonly data_type: DataType;
}

export interface NewColumn extends ObservedColumn {
  readonly project_id: string;
  readonly run_id: string;
}

/**
 * Columns of the sender's own that are kept of a run: more than a list to choose from can show. Whoever makes up a name
 * per record is not followed beyond.
 */
export const MAX_OWN_COLUMNS = 2_000;
/**
 * Names in one place of a record, its first ones, that become columns: four times the attributes that OpenTelemetry lets
 * a span have. A record with more holds data under its names, not facts that others share.
 */
export const MAX_NAMES_PER_PLACE = 512;
/** Code units of a name; a longer one is no name of a column. */
const MAX_NAME = 150;
export const isNameOfColumn = (name: string): boolean => name.length > 0 && name.length <= MAX_NAME;
/** Runs, and own columns of them all, that are remembered: some 30 MB. What is forgotten is only told again. */
const MAX_RUNS = 5_000;
const MAX_REMEMBERED = 200_000;

/** Fields that records may go without, and the id, which says that there is a record of the type. */
const NOTED = COMMON_FIELD_NAMES.filter((name) => commonField(name).column?.is_noted).map((name) => {
  const { kind } = commonField(name);
  return { name, is_list: kind === 'texts', data_type: COLUMN_KINDS[kind].data_type };
});

/** Data types seen under each name, as bits. */
type Names = Map<string, number>;
type KnownType = Readonly<Record<MapField | 'attributes', Names>> & { readonly fields: Set<string> };
interface KnownRun {
  readonly types: Map<RecordType, KnownType>;
  own: number;
}

/**
 * Which columns the records of each run have, as far as this process has seen. Every record that is written comes by,
 * so what is known costs a look-up and nothing else.
 */
export class ObservedColumns {
  readonly #runs = new Map<string, KnownRun>();
  #own = 0;

  /** The columns of these records that are not remembered: of each run no more than still go into it. */
  unknownIn(records: readonly LogRecord[]): NewColumn[] {
    const runs = new Map<string, Findings>();
    let findings: Findings | undefined;
    for (const record of records) {
      if (!findings?.isOf(record)) findings = this.#getFindings(record, runs);
      look(record, findings);
    }
    return [...runs.values()].flatMap((one) => one.columns());
  }

  /** Remembers columns that are stored, so that they are not stored again. */
  remember(columns: readonly NewColumn[]): void {
    for (const { project_id, run_id, type, column_id, data_type } of columns) {
      const run = this.#run(`${project_id} ${run_id}`);
      const known = run.types.get(type) ?? newType();
      run.types.set(type, known);
      const slash = column_id.indexOf('/');
      if (slash < 0) learnStandard(known, column_id);
      else if (learn(known[column_id.slice(0, slash) as Place], column_id.slice(slash + 1), getBit(data_type))) {
        run.own += 1;
        this.#own += 1;
      }
    }
    while (this.#own > MAX_REMEMBERED) this.#forgetOldest();
  }

  #getFindings(record: LogRecord, runs: Map<string, Findings>): Findings {
    const key = `${record.project_id} ${record.run_id}`;
    const findings = runs.get(key) ?? new Findings(record, this.#runs.get(key));
    runs.set(key, findings);
    return findings;
  }

  #run(key: string): KnownRun {
    const known = this.#runs.get(key);
    if (known) return known;
    if (this.#runs.size >= MAX_RUNS) this.#forgetOldest();
    const run: KnownRun = { types: new Map(), own: 0 };
    this.#runs.set(key, run);
    return run;
  }

  #forgetOldest(): void {
    const [key, run] = this.#runs.entries().next().value!;
    this.#runs.delete(key);
    this.#own -= run.own;
  }
}

type Place = MapField;

/** Columns in some records of one run that are not known of it yet. */
class Findings {
  readonly known: KnownRun | undefined;
  readonly #project_id: string;
  readonly #run_id: string;
  readonly #found = new Map<string, NewColumn>();
  #room: number;

  constructor({ project_id, run_id }: LogRecord, known: KnownRun | undefined) {
    this.known = known;
    this.#project_id = project_id;
    this.#run_id = run_id;
    this.#room = MAX_OWN_COLUMNS - (known?.own ?? 0);
  }

  get isFull(): boolean {
    return this.#room <= 0;
  }

  isOf({ project_id, run_id }: LogRecord): boolean {
    return run_id === this.#run_id && project_id === this.#project_id;
  }

  tell(type: RecordType, column_id: string, data_type: DataType, place?: Place): void {
    const key = `${type} ${data_type} ${column_id}`;
    if (this.#found.has(key)) return;
    if (place !== undefined) this.#room -= 1;
    this.#found.set(key, { project_id: this.#project_id, run_id: this.#run_id, type, column_id, data_type });
  }

  columns(): NewColumn[] {
    return [...this.#found.values()];
  }
}

/** Every record that is written comes by here: nothing is made of what is known. */
function look(record: LogRecord, findings: Findings): void {
  const { type } = record;
  const known = findings.known?.types.get(type);
  for (const { name, is_list, data_type } of NOTED) {
    if (known?.fields.has(name)) continue;
    const value = record[name];
    if (is_list ? (value as readonly string[]).length > 0 : isThere(value)) findings.tell(type, name, data_type);
  }
  for (const name of ownFieldsOf(type)) {
    if (isThere(record.attributes[name]) && !known?.attributes.has(name)) findings.tell(type, name, 'text');
  }
  for (const place of PLACES) lookAtNames(record, place, known?.[place], findings);
}

function lookAtNames(record: LogRecord, place: Place, known: Names | undefined, findings: Findings): void {
  const values = record[place];
  let names = 0;
  for (const name in values) {
    names += 1;
    if (names > MAX_NAMES_PER_PLACE || findings.isFull) return;
    const value = values[name];
    if (value === null || value === undefined) continue;
    const type = place === 'metrics' ? getType(value) : 'text';
    if (known !== undefined && ((known.get(name) ?? 0) & getBit(type)) !== 0) continue;
    if (isNameOfColumn(name)) findings.tell(record.type, `${place}/${name}`, type, place);
  }
}

/** Type of a value in comparisons: anything but a number, a boolean or a list compares as a text. */
function getType(value: JsonValue): DataType {
  if (typeof value === 'number') return 'floating_point';
  if (typeof value === 'boolean') return 'boolean';
  return Array.isArray(value) ? 'string_list' : 'text';
}

/** Bits of this process alone: what is stored are the names of the types. */
const DATA_TYPES = [...new Set(Object.values(COLUMN_KINDS).map(({ data_type }) => data_type))];
const TYPE_BITS = Object.fromEntries(DATA_TYPES.map((type, at) => [type, 1 << at])) as Readonly<Record<DataType, number>>;
const getBit = (type: DataType): number => TYPE_BITS[type];

const isThere = (value: JsonValue | undefined): boolean => value !== null && value !== undefined && value !== '';

const newType = (): KnownType => ({
  ...(Object.fromEntries(PLACES.map((place) => [place, new Map()])) as Record<MapField, Names>),
  attributes: new Map(),
  fields: new Set(),
});

function learnStandard(known: KnownType, column_id: string): void {
  if (Object.hasOwn(OWN_FIELDS, column_id)) learn(known.attributes, column_id, getBit('text'));
  else known.fields.add(column_id);
}

/** Whether that was new. */
function learn(names: Names, name: string, bit: number): boolean {
  const bits = names.get(name) ?? 0;
  names.set(name, bits | bit);
  return (bits & bit) === 0;
}
