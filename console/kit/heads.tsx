/** The head of one column: its words, with `end` for figures (on the right), `hidden` for those only screen readers need. */
export type Head = string | { readonly end: string } | { readonly hidden: string };

interface HeadsProps {
  readonly of: readonly Head[];
  /** Whether the last column holds what can be done with a row. */
  readonly actions?: boolean;
}

/** The head of a table. */
export const Heads = (props: HeadsProps) => (
  <thead>
    <tr>
      <HeadCells {...props} />
    </tr>
  </thead>
);

/** Heads to stand in one row with heads of other kinds. */
export const HeadCells = ({ of, actions = false }: HeadsProps) => (
  <>
    {of.map((head, at) => (
      <HeadCell key={at} head={head} />
    ))}
    {actions && <HeadCell head={{ hidden: 'Actions' }} />}
  </>
);

function HeadCell({ head }: { head: Head }) {
  if (typeof head === 'string') return <th scope="col">{head}</th>;
  if ('end' in head)
    return (
      <th scope="col" class="text-end">
        {head.end}
      </th>
    );
  return (
    <th scope="col">
      <span class="visually-hidden">{head.hidden}</span>
    </th>
  );
}
