interface CheckProps {
  readonly label: string;
  /** In a form; without `onCheck`, `checked` is only how it begins. */
  readonly name?: string;
  /** Value of the field in the submitted form. */
  readonly value?: string;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  readonly onCheck?: (checked: boolean) => void;
  /** Takes effect at once, and looks like it. */
  readonly isSwitch?: boolean;
  readonly class?: string;
}

/** One yes or no. */
export const Check = ({ label, checked = false, onCheck, isSwitch = false, class: own = '', ...control }: CheckProps) => (
  <label class={`form-check ${isSwitch ? 'form-switch' : ''} ${own}`}>
    <input
      class="form-check-input"
      type="checkbox"
      {...control}
      {...(onCheck
        ? { checked, onChange: (event: { currentTarget: HTMLInputElement }) => onCheck(event.currentTarget.checked) }
        : { defaultChecked: checked })}
    />
    {label}
  </label>
);
