import type { AnnotationTemplate } from '../../../core/ratings/annotation-template.ts';
import type { RatingValue } from '../../../core/ratings/rating.ts';
import { commaList } from '../../kit/comma-list.ts';

interface AnswerFieldProps {
  readonly question: AnnotationTemplate;
  readonly value: RatingValue | undefined;
  /** `final` when picking is all there is to do. */
  readonly onChange: (value: RatingValue, final: boolean) => void;
}

/** Input for the answer to a question, by its type. */
export function AnswerField({ question, value, onChange }: AnswerFieldProps) {
  const { annotation_type, name, choices, min, max } = question;
  const pick = (one: RatingValue): void => onChange(one, true);
  switch (annotation_type) {
    case 'like_dislike':
      return (
        <Picks
          label={name}
          options={[
            { label: 'Like', value: true },
            { label: 'Dislike', value: false },
          ]}
          value={value}
          onPick={pick}
        />
      );
    case 'star':
      return <Picks label={name} options={STARS} value={value} onPick={pick} />;
    case 'tags':
      return choices.length > 0 ? (
        <Choices choices={choices} value={value} onChange={onChange} />
      ) : (
        <input
          class="form-control form-control-sm"
          aria-label={`${name}: tags, separated by commas`}
          value={Array.isArray(value) ? value.join(', ') : ''}
          onChange={(event) => onChange(commaList(event.currentTarget.value), false)}
        />
      );
    case 'score':
      return (
        <input
          class="form-control form-control-sm"
          type="number"
          aria-label={`${name}: ${min} to ${max}`}
          placeholder={`${min} to ${max}`}
          {...{ min, max }}
          value={typeof value === 'number' ? value : ''}
          onChange={(event) => onChange(event.currentTarget.valueAsNumber, false)}
        />
      );
    case 'text':
      return (
        <textarea
          class="form-control form-control-sm"
          aria-label={name}
          rows={2}
          value={typeof value === 'string' ? value : ''}
          onInput={(event) => onChange(event.currentTarget.value, false)}
        />
      );
  }
}

interface Option {
  readonly label: string;
  readonly value: RatingValue;
}

const STARS: readonly Option[] = [1, 2, 3, 4, 5].map((value) => ({ label: `${value} ★`, value }));

interface PicksProps {
  readonly label: string;
  readonly options: readonly Option[];
  readonly value: RatingValue | undefined;
  readonly onPick: (value: RatingValue) => void;
}

const Picks = ({ label, options, value, onPick }: PicksProps) => (
  <fieldset class="btn-group btn-group-sm" aria-label={label}>
    {options.map((option) => (
      <button
        key={option.label}
        type="button"
        class={`btn btn-outline-secondary ${option.value === value ? 'active' : ''}`}
        aria-pressed={option.value === value}
        onClick={() => onPick(option.value)}
      >
        {option.label}
      </button>
    ))}
  </fieldset>
);

function Choices({ choices, value, onChange }: Pick<AnswerFieldProps, 'value' | 'onChange'> & { choices: readonly string[] }) {
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  return (
    <div class="d-flex flex-wrap gap-3">
      {choices.map((choice) => (
        <label key={choice} class="form-check-label">
          <input
            type="checkbox"
            class="form-check-input me-1"
            checked={chosen.includes(choice)}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? [...chosen, choice] : chosen.filter((one) => one !== choice), false)
            }
          />
          {choice}
        </label>
      ))}
    </div>
  );
}
