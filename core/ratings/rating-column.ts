import { isCleanText } from '../kernel/text.ts';
import type { RatingType } from './rating.ts';

/** A column of ratings: feedback by its name, or what the answers to an annotation template come to, by the template's id. */
export interface RatingColumn {
  readonly place: 'feedback' | 'annotations';
  readonly name: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_NAME = 255;

/** The column in an id such as `feedback/thumb` or `annotations/<template id>`; undefined for any other id. */
export function parseRatingColumn(id: string): RatingColumn | undefined {
  const slash = id.indexOf('/');
  const [place, name] = [id.slice(0, slash), id.slice(slash + 1)];
  if (place === 'annotations') return UUID.test(name) ? { place, name: name.toLowerCase() } : undefined;
  const isName = place === 'feedback' && name.length > 0 && [...name].length <= MAX_NAME && isCleanText(name);
  return isName ? { place, name } : undefined;
}

export const toRatingColumnId = ({ place, name }: RatingColumn): string => `${place}/${name}`;

/** Types of values, as columns and their filters know them. */
export const RATING_DATA_TYPES = {
  like_dislike: 'boolean',
  star: 'floating_point',
  score: 'floating_point',
  tags: 'string_list',
  text: 'text',
} as const satisfies Readonly<Record<RatingType, string>>;
