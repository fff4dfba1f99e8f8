import * as z from 'zod/mini';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** ISO 8601 in UTC with millisecond precision (docs/interface.md, 2). */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const Uuid = z.string().check(z.regex(UUID), z.meta({ format: 'uuid' }));
export const Timestamp = z.string().check(z.regex(TIMESTAMP), z.meta({ format: 'date-time' }));

/**
 * Text that `checks` hold for. A pipe, because zod checks the length of whatever has a `length`, and throws where that is not
 * comparable.
 */
export function checkedText(...checks: z.core.$ZodCheck<string>[]) {
  return z.pipe(z.string(), z.string().check(...checks));
}

/** Whether both databases can store `text`: PostgreSQL has no NUL character, and UTF-8 no half of a character pair. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\u0000');

/** Free-form key/value data. */
export const Attributes = z.record(z.string(), z.unknown());
export type Attributes = z.infer<typeof Attributes>;

/**
 * The tolerant schema of a resource, for clients: unknown keys are dropped, and a field that is missing, null or of another
 * type becomes null. The `essential` fields are required.
 */
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

/** A client accepts any text as id or timestamp, also where they may be null. */
function looser(field: z.core.$ZodType): z.core.$ZodType {
  if (field instanceof z.ZodMiniNullable) return z.nullable(looser(field.def.innerType));
  return field === Uuid || field === Timestamp ? z.string() : field;
}
