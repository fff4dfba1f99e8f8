import { useState, type ChangeEvent } from 'react';

type Errors<Values> = { [Field in keyof Values]?: string | undefined };

/**
 * The texts of a form, and what was wrong with them when it was submitted, until they are changed. `validate` returns a
 * sentence for each field that is wrong.
 */
export function useForm<Values extends Record<string, string>>(
  initial: Values,
  validate: (values: Values) => Errors<Values> = () => ({}),
) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Errors<Values>>({});
  const set = (name: keyof Values, value: string) => {
    setValues({ ...values, [name]: value });
    setErrors({ ...errors, [name]: undefined });
  };
  const found = validate(values);
  const isValid = Object.values(found).every((error) => error === undefined);
  return {
    values,
    isValid,
    set,
    setErrors,
    /** The attributes of the input of a field. */
    field: (name: keyof Values) => ({
      value: values[name],
      error: errors[name],
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => set(name, event.currentTarget.value),
    }),
    /** Calls `send` unless something is wrong. */
    submit: (send: (values: Values) => void) => {
      setErrors(found);
      if (isValid) send(values);
    },
  };
}

/** What is wrong with a text: that it is too long, or empty where `missing` says that it is required. */
export function findTextError(text: string, max: number, missing?: string): string | undefined {
  const { length } = text.trim();
  if (length === 0) return missing;
  return length > max ? `Use at most ${max} characters; this has ${length}.` : undefined;
}
