import { sql } from 'kysely';
import { NUM_COMMENTS } from '../../../core/comments/comment-column.ts';
import { parseRatingColumn, type RatingColumn } from '../../../core/ratings/rating-column.ts';
import { isCounted } from '../../../core/record-index/record-metrics.ts';
import { BLANK_RECORD } from '../../../core/traces/blank-record.ts';
import { parseOwnName } from '../../../core/traces/columns/column.ts';
import { matches } from '../../../core/traces/read/record-match.ts';
import { wordsIn } from '../../../core/traces/read/words.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { type FilterTree, type RecordFilter, type RecordSelection, WORDS } from '../../../core/traces/record-query.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { COMPARISONS, type Fragment } from '../database/sql.ts';
import { encodeText } from '../database/text-codec.ts';
import type { RunKey } from '../record-index/record-index-rows.ts';
import { toPostingKey } from './word-postings.ts';

/** So many records are looked up one by one faster than the newest are gone through until enough of them fit. */
const MOST = 5_000;
/** The longest of the words that are asked for, which are the rarest as a rule. */
const MOST_WORDS = 4;

type NumberFilter = RecordFilter & { type: 'number' };

/**
 * Narrows a search down to few records by the record index, where a condition that has to hold asks for something rare: a
 * number or words. All records that meet the condition are among them, the others have to be sorted out by the whole condition.
 */
export class RecordCandidates {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  /** Undefined when no index tells, or when they are many. */
  async find({ where, level, ...run }: RecordSelection): Promise<string[] | undefined> {
    for (const filter of requiredIn(where)) {
      const rating = ratingIn(filter);
      const ids = rating
        ? await this.#byRating(run, rating)
        : isOnComments(filter)
          ? await this.#commented(run)
          : isOnNumber(filter)
            ? await this.#byNumber(run, filter)
            : isOnPrompt(filter)
              ? await this.#byPrompt(run, filter, level)
              : await this.#byWords(run, filter, level);
      if (ids && ids.length <= MOST) return [...new Set(ids)];
    }
    return undefined;
  }

  /** With those that wait to be indexed, whose numbers may have changed. */
  #byNumber({ project_id, run_id }: RunKey, { column_id, operator, value }: NumberFilter): Promise<string[]> {
    const name = encodeText(parseOwnName(column_id)!.name);
    const [low, high] = [value].flat().map((one) => sql`${one}::double precision`);
    const test = operator === 'between' ? sql`between ${low} and ${high}` : sql`${COMPARISONS[operator]} ${low}`;
    const limit = sql.lit(MOST + 1);
    return this.#ids(
      sql`(select record_id as id from record_numbers
        where project_id = ${project_id} and run_id = ${run_id} and name = ${name} and value ${test} limit ${limit})
       union all
       (select unnest(record_ids) from record_changes where project_id = ${project_id} and run_id = ${run_id} limit ${limit})`,
    );
  }

  /** All that were rated: mostly few are. */
  #byRating({ project_id, run_id }: RunKey, { place, name }: RatingColumn): Promise<string[]> {
    const [table, key] =
      place === 'feedback' ? [sql`feedback`, sql`name = ${name}`] : [sql`annotations`, sql`template_id = ${name}::uuid`];
    return this.#ids(
      sql`select record_id as id from ${table}
        where project_id = ${project_id} and run_id = ${run_id} and ${key} limit ${sql.lit(MOST + 1)}`,
    );
  }

  /** With those that wait to be indexed. */
  #byPrompt({ project_id, run_id }: RunKey, { value }: RecordFilter, level: RecordSelection['level']): Promise<string[]> {
    const limit = sql.lit(MOST + 1);
    const ids = [value].flat().filter((id) => UUID.test(String(id)));
    const found = sql`(select record_id as id from prompt_calls
        where project_id = ${project_id} and run_id = ${run_id} and prompt_version_id = any(${ids}::uuid[]) limit ${limit})
      union all
      (select unnest(record_ids) from record_changes where project_id = ${project_id} and run_id = ${run_id} limit ${limit})`;
    return this.#ids(level === 'span' ? found : ofTracesSql({ project_id, run_id }, found));
  }

  #commented({ project_id, run_id }: RunKey): Promise<string[]> {
    return this.#ids(
      sql`select distinct record_id as id from comments where project_id = ${project_id} and run_id = ${run_id} limit ${sql.lit(MOST + 1)}`,
    );
  }

  /** Of each block that holds all the words, the records that hold the longest of them; and the open block. For traces, those of them. */
  async #byWords(
    { project_id, run_id }: RunKey,
    { value }: RecordFilter,
    level: RecordSelection['level'],
  ): Promise<string[] | undefined> {
    const longest = wordsIn(String(value)).sort((a, b) => b.length - a.length);
    const [first, ...others] = longest.slice(0, MOST_WORDS).map(toPostingKey);
    if (!first) return undefined;
    const found = sql`select block.record_ids[1 + get_byte(hit.ordinals, place)] as id
       from (
         select block, decode(split_part(split_part(postings, ${first.key}, 2), ';', 1), 'hex') as ordinals from word_postings
         where project_id = ${project_id} and run_id = ${run_id} and slice = ${first.slice} offset 0
       ) as hit
       cross join lateral (
         select record_ids from word_blocks
         where project_id = ${project_id} and run_id = ${run_id} and block = hit.block and not exists (
           select from unnest(${others.map(({ slice }) => slice)}::smallint[], ${others.map(({ key }) => key)}::text[]) as other(slice, key)
           where not exists (
             select from word_postings p
             where p.project_id = ${project_id} and p.run_id = ${run_id} and p.slice = other.slice and p.block = hit.block
               and strpos(p.postings, other.key) > 0
           )
         ) offset 0
       ) as block
       cross join lateral generate_series(0, length(hit.ordinals) - 1) as place
       where hit.ordinals <> ''
       union all
       select unnest(record_ids) from word_blocks where project_id = ${project_id} and run_id = ${run_id} and is_open`;
    if (level === 'span') return this.#ids(found);
    return this.#ids(ofTracesSql({ project_id, run_id }, found));
  }

  async #ids(found: Fragment): Promise<string[]> {
    const rows = await this.#session.rows(sql<{ id: string }>`select id from (${found}) as candidate limit ${sql.lit(MOST + 1)}`);
    return rows.map(({ id }) => id);
  }
}

/** The traces of the records that are found. */
const ofTracesSql = ({ project_id, run_id }: RunKey, found: Fragment): Fragment =>
  sql`select own.trace_id as id from (select id from (${found}) as every limit ${sql.lit(MOST + 1)}) as hit
    cross join lateral (
      select trace_id from records where project_id = ${project_id} and id = hit.id and (run_id = ${run_id}) is true offset 0
    ) as own`;

/** Conditions that every record has to meet and that an index knows of; on words first. */
function requiredIn(tree: FilterTree): RecordFilter[] {
  if ('filter' in tree)
    return [isOnWords, isOnNumber, isOnComments, isOnPrompt, ratingIn].some((is) => is(tree.filter)) ? [tree.filter] : [];
  if (!('and' in tree)) return [];
  const found = tree.and.flatMap(requiredIn);
  return [...found.filter(isOnWords), ...found.filter((filter) => !isOnWords(filter))];
}

const isOnWords = ({ column_id }: RecordFilter): boolean => column_id === WORDS;

/** The column of ratings that a filter asks for; a record without a rating meets `ne` and `not_in`. */
const ratingIn = ({ column_id, operator }: RecordFilter): RatingColumn | undefined =>
  operator === 'ne' || operator === 'not_in' ? undefined : parseRatingColumn(column_id);

/** Nothing but its comments is looked at. */
const UNCOMMENTED = BLANK_RECORD as LogRecord;

/** Whether a filter asks for records that have comments: one that a record without any meets narrows nothing down. */
function isOnComments(filter: RecordFilter): boolean {
  return filter.column_id === NUM_COMMENTS && !matches({ filter }, UNCOMMENTED);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a filter asks for versions of prompts by their ids. */
const isOnPrompt = ({ type, column_id, operator }: RecordFilter): boolean =>
  type === 'text' && column_id === 'prompt_version_id' && (operator === 'eq' || operator === 'one_of');

/** A record without the number meets `ne`. */
function isOnNumber(filter: RecordFilter): filter is NumberFilter {
  const own = parseOwnName(filter.column_id);
  return filter.type === 'number' && filter.operator !== 'ne' && own?.place === 'metrics' && !isCounted(own.name);
}
