import { findHidden, findOtherCase } from '#contract/importFiles/doubts.ts';
import type { Attributes } from '#contract/values/field.ts';
import { toPrintable } from '../../terminal/printable.ts';
import type { LineContext } from './lineKinds.ts';

/** Lines with invisible characters that are named. */
const NOTED_MAX = 20;

/** Says what an import of contacts does with a checked line that perhaps nobody meant; of each attribute once. */
export function createContactNotes(
  { identity_field, attributes: known = [] }: LineContext,
  onNote: (sentence: string) => void,
): (number: number, line: { attributes?: Attributes }) => void {
  const seen = new Set<string>();
  let noted = 0;
  return (number, { attributes = {} }) => {
    for (const sentence of findHidden(attributes, identity_field)) {
      if (++noted > NOTED_MAX) break;
      onNote(`Line ${number}: ${sentence}${noted === NOTED_MAX ? ' Further such lines are not shown.' : ''}`);
    }
    for (const name of Object.keys(attributes)) {
      if (seen.has(name)) continue;
      seen.add(name);
      const other = findOtherCase(name, known);
      if (other === null) continue;
      onNote(
        `${toPrintable(name)}: the workspace has ${toPrintable(other)}, which stays another attribute. If they are the same, rename it in the file.`,
      );
    }
  };
}
