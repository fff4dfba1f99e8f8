import { useState, type ChangeEvent } from 'react';

type Errors<Values> = { [Field in keyof Values]?: string | undefined };

/** `validate` returns a sentence for each invalid field, shown from the submit to the next change. */
export function useForm<Values extends Record<string, string>>(
  initial: Values,
  validate: (values: Values) => Errors<Values> = () => ({}),
) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Errors<Values>>({});
  const set = (name: keyof Values, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors((before) => ({ ...before, [name]: undefined }));
  };
  const found = validate(values);
  const isValid = Object.values(found).every((error) => error === undefined);
  return {
    values,
    isValid,
    set,
    setErrors,
    field: (name: keyof Values) => ({
      value: values[name],
      error: errors[name],
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => set(name, event.currentTarget.value),
    }),
    submit: (send: (values: Values) => void) => {
      setErrors(found);
      if (isValid) send(values);
    },
  };
}

/** `missing` is the sentence for an empty text, if it is required. */
export function findTextError(text: string, max: number, missing?: string): string | undefined {
  const { length } = text.trim();
  if (length === 0) return missing;
  return length > max ? `Use at most ${max} characters; this has ${length}.` : undefined;
}
