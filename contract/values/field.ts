import * as z from 'zod/mini';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** ISO 8601 in UTC with millisecond precision (docs/interface.md, 2). */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const Uuid = z.string().check(z.regex(UUID), z.meta({ format: 'uuid' }));
export const Timestamp = z.string().check(z.regex(TIMESTAMP), z.meta({ format: 'date-time' }));

/** A pipe, because zod checks the length of anything with a `length`, and throws if it isn't comparable. */
export function checkedText(...checks: z.core.$ZodCheck<string>[]) {
  return z.pipe(z.string(), z.string().check(...checks));
}

/** Whether both databases can store it: PostgreSQL has no NUL, UTF-8 no lone surrogate. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\u0000');

/** Of the JSON of an attribute. */
export const ATTRIBUTE_BYTES_MAX = 8 * 1024;

export const Attributes = z.record(z.string(), z.unknown());
export type Attributes = z.infer<typeof Attributes>;

/** The tolerant schema for clients: unknown keys are dropped, and only `essential` fields are required; others become null. */
export function toReadableSchema<Shape extends z.core.$ZodShape, Essential extends keyof Shape & string>(
  resource: z.ZodMiniObject<Shape, z.core.$strict>,
  essential: readonly Essential[],
) {
  const fields = Object.entries(resource.shape).map(([name, field]) => [
    name,
    (essential as readonly string[]).includes(name) ? looser(field) : z.catch(z.nullable(looser(field)), null),
  ]);
  return z.object(
    Object.fromEntries(fields) as {
      [Name in keyof Shape]: Name extends Essential
        ? z.ZodMiniType<z.infer<Shape[Name]>>
        : z.ZodMiniType<z.infer<Shape[Name]> | null>;
    },
  );
}

/** Accepts any text as ID or timestamp. */
function looser(field: z.core.$ZodType): z.core.$ZodType {
  if (field instanceof z.ZodMiniNullable) return z.nullable(looser(field.def.innerType));
  return field === Uuid || field === Timestamp ? z.string() : field;
}
