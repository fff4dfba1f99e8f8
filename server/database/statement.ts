import type { CompiledQuery, DialectAdapter, Kysely, RawBuilder } from 'kysely';
import type { Scope, ScopedId } from './scope.ts';
import type { Tables } from './schema/tables.ts';

/** In the SQL of a statement that PostgreSQL doesn't prepare: one of many that differ only in their conditions. */
export const NOT_PREPARED = '/* not prepared */';

/** Runs a statement with `values`, and gives its rows. */
type Statement<Values extends unknown[], Row> = (kysely: Kysely<Tables>, ...values: Values) => Promise<Row[]>;

/**
 * A statement that is built once for each engine and number of values, and then run with new ones, because building it takes longer
 * than running it. `build` gets placeholders instead of the values, so it can place them but not read them.
 */
export function defineStatement<Values extends unknown[], Row>(
  build: (...values: Values) => RawBuilder<Row>,
): Statement<Values, Row> {
  const built = new WeakMap<DialectAdapter, CompiledQuery<Row>[]>();
  return async (kysely, ...values) => {
    const executor = kysely.getExecutor();
    const byCount = built.getOrInsertComputed(executor.adapter, () => []);
    let query = byCount[values.length];
    if (query === undefined) {
      const placeholders = values.map((_, index) => new ParameterPlaceholder(index)) as unknown[] as Values;
      query = byCount[values.length] = build(...placeholders).compile(kysely);
    }
    const parameters = query.parameters.map((value) =>
      value instanceof ParameterPlaceholder ? values[value.index] : value,
    );
    return (await executor.executeQuery<Row>({ ...query, parameters })).rows;
  };
}

/** The same for the rows of one workspace. `build` gets the workspace as its first value. */
export function defineScopedStatement<Values extends unknown[], Row>(
  build: (workspaceId: ScopedId, ...values: Values) => RawBuilder<Row>,
): (scope: Scope, ...values: Values) => Promise<Row[]> {
  const run = defineStatement(build);
  return (scope, ...values) => run(scope.kysely, scope.id, ...values);
}

class ParameterPlaceholder {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}
