import { Field } from '../kit/field.tsx';

/** The text of a prompt in a form, by the name `template`. */
export const PromptField = ({ text = '' }: { text?: string }) => (
  <Field
    label="Prompt text"
    help="Variables in double braces: {{input}}. Messages as JSON: [{&quot;role&quot;: …, &quot;content&quot;: …}]."
  >
    {(id) => (
      <textarea class="form-control font-monospace" id={id} name="template" rows={10} dir="auto" required defaultValue={text} />
    )}
  </Field>
);
