interface NameSearchProps {
  /** What is searched through, for who hears the page. */
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly onInput: (value: string) => void;
}

/** The small field above a list that keeps what has the typed text in its name. */
export const NameSearch = ({ label, value, placeholder = 'Name', onInput }: NameSearchProps) => (
  <input
    class="form-control form-control-sm w-auto"
    type="search"
    aria-label={label}
    placeholder={placeholder}
    value={value}
    onInput={(event) => onInput(event.currentTarget.value)}
  />
);
