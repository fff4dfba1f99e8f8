import type { Scope } from '../../database/scope.ts';

/** An attribute by whose values contacts are found in `attribute_values`. Writes of contacts keep these up to date from its first day on. */
export type AttributeIndex = {
  /** In `attribute_values`. */
  number: number;
  name: string;
  /** `building`: contacts after `builtTo` may be missing. */
  state: 'building' | 'ready' | 'removing';
  /** The last contact that was read. */
  builtTo: number;
};

/** The column `attribute_indexes` of a workspace. */
export const parseIndexes = (text: string): AttributeIndex[] => JSON.parse(text) as AttributeIndex[];

export async function readIndexes(scope: Scope): Promise<AttributeIndex[]> {
  const { attribute_indexes } = await scope
    .select('workspace_heads')
    .select('attribute_indexes')
    .executeTakeFirstOrThrow();
  return parseIndexes(attribute_indexes);
}

export async function writeIndexes(scope: Scope, indexes: readonly AttributeIndex[]): Promise<void> {
  await scope
    .update('workspace_heads')
    .set({ attribute_indexes: JSON.stringify(indexes) })
    .execute();
}
