interface StarButtonProps {
  /** Name of the record. */
  readonly name: string;
  readonly isOn: boolean;
  readonly tabIndex?: number;
  readonly onToggle: () => void;
}

/** Puts the caller's bookmark on a record, or takes it. */
export const StarButton = ({ name, isOn, tabIndex, onToggle }: StarButtonProps) => (
  <button
    type="button"
    class={`sign-button ${isOn ? 'on' : ''}`}
    tabIndex={tabIndex}
    aria-pressed={isOn}
    aria-label={`Bookmark ${name}`}
    title={isOn ? 'Remove bookmark (b)' : 'Bookmark (b)'}
    onClick={onToggle}
  >
    {isOn ? '★' : '☆'}
  </button>
);
