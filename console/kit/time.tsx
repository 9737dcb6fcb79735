import { shortTimestampText, zonedTimestampText } from './formatting.ts';

/** A moment, short, with all of it for who points at it. */
export const Time = ({ at }: { at: string | null | undefined }) =>
  at ? (
    <time dateTime={at} title={`${zonedTimestampText(at)} (${at})`} class="text-nowrap">
      {shortTimestampText(at)}
    </time>
  ) : (
    <>–</>
  );
