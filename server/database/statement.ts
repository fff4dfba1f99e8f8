import type { CompiledQuery, DialectAdapter, Kysely, RawBuilder } from 'kysely';
import type { Scope, ScopedId } from './scope.ts';
import type { Tables } from './tables.ts';

/** Runs a statement with its values, and gives its rows. */
export type Statement<Values extends unknown[], Row> = (kysely: Kysely<Tables>, ...values: Values) => Promise<Row[]>;

/**
 * A statement that every request runs: built once for each engine, then run with new values, because building one
 * takes longer than running it. `build` is given stand-ins, so it can place the values but not look at them.
 */
export function defineStatement<Values extends unknown[], Row>(
  build: (...values: Values) => RawBuilder<Row>,
): Statement<Values, Row> {
  const built = new WeakMap<DialectAdapter, CompiledQuery<Row>>();
  return async (kysely, ...values) => {
    const executor = kysely.getExecutor();
    let query = built.get(executor.adapter);
    if (query === undefined) {
      const standIns = values.map((_, index) => new ParameterPlaceholder(index)) as unknown[] as Values;
      query = build(...standIns).compile(kysely);
      built.set(executor.adapter, query);
    }
    const parameters = query.parameters.map((value) =>
      value instanceof ParameterPlaceholder ? values[value.index] : value,
    );
    return (await executor.executeQuery<Row>({ ...query, parameters })).rows;
  };
}

/** The same for the rows of one workspace, which is the first of the values. */
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
